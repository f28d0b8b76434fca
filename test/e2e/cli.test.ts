import { describe, expect, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx as run, execute, type Finished, folder, program, type Run, server, serverOn } from "../support/cli.ts"
import { atTerminal } from "../support/terminal.ts"

/** One person's project, wired to a server. */
interface Clone {
  readonly root: string
  readonly ctx: (args: ReadonlyArray<string>, more?: Omit<Run, "cwd">) => Effect.Effect<Finished>
  /** Runs a command that must succeed, and gives what it printed. */
  readonly says: (...args: ReadonlyArray<string>) => Effect.Effect<string>
  readonly write: (slug: string, body: string) => Effect.Effect<string>
}

const clone = (root: string): Clone => {
  const ctx: Clone["ctx"] = (args, more) => run(root, args, more)
  const ok = (finished: Finished) => {
    expect(finished.code, finished.stderr).toBe(0)
    return finished.stdout
  }
  return {
    root,
    ctx,
    says: (...args) => Effect.map(ctx(args), ok),
    write: (slug, body) => Effect.map(ctx(["write", slug, "--type", "concept", "-"], { stdin: body }), ok)
  }
}

const project: Effect.Effect<Clone, never, Scope.Scope> = Effect.gen(function* () {
  const made = clone(yield* folder)
  yield* made.says("init", "--no-mcp")
  return made
})

const wired = (to: { readonly url: string; readonly token: string }, repo = "acme") =>
  Effect.tap(project, ({ says }) => says("login", "--server", to.url, "--token", to.token, "--repo", repo))

const json = (text: string): unknown => JSON.parse(text)

const lines = (text: string) => text.trimEnd().split("\n")

const page = (root: string, slug: string) => join(root, ".contexo", "wiki", "concepts", `${slug}.md`)

describe("a project of one's own, without a server", () => {
  it.scopedLive("init says what it did, and doing it again changes nothing", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* execute(["git", "init", "-q"], { cwd: root })
      const first = yield* run(root, ["init", "--no-cursor"])
      expect(first).toMatchObject({
        code: 0,
        stderr: "The hooks run ctx-mcp, which is not on PATH here: npm i -g ctx-mcp\n"
      })
      expect(lines(first.stdout)).toEqual([
        "  Wired Claude Code (.mcp.json) — restart your agent to load the contexo server",
        "  Claude Code records its turns (.claude/settings.json)",
        "  Created .gitignore with .contexo/",
        `Initialized .contexo in ${root}`,
        "",
        "  Claude Code  wired (.mcp.json), hooks (.claude/settings.json)",
        "  Cursor       not detected",
        "  Codex        not detected",
        "  Gemini CLI   not detected",
        "  OpenCode     not detected",
        "  Kimi         not detected",
        "",
        "Any other agent that speaks MCP: 'ctx mcp guide' shows what goes into its settings.",
        "To share pages: ctx login --server <url> --token <token> --repo <id>"
      ])
      expect(json(readFileSync(join(root, ".mcp.json"), "utf8"))).toEqual({
        mcpServers: { contexo: { command: "npx", args: ["-y", "ctx-mcp"] } }
      })
      const before = readFileSync(join(root, ".gitignore"), "utf8")
      const again = yield* run(root, ["init", "--no-cursor"])
      expect(lines(again.stdout)[0]).toBe("  .mcp.json already has the contexo entry; leaving it alone")
      expect(readFileSync(join(root, ".gitignore"), "utf8")).toBe(before)
    })
  )

  it.scopedLive("status prints the lines of the source", () =>
    Effect.gen(function* () {
      const { says } = yield* project
      expect(lines(yield* says("status"))).toEqual([
        "Initialized: yes",
        "Server: (none — run 'ctx remote set <url>')",
        "Repo: (none — run 'ctx remote set-repo <id>')",
        "Authenticated: no",
        "Local pages: 0",
        "Last pull: (never)",
        "Pages never pushed: 0"
      ])
    })
  )

  it.scopedLive("outside a project, status says so and exits 0, everything else exits 4", () =>
    Effect.gen(function* () {
      const outside = yield* folder
      expect(yield* run(outside, ["status"])).toEqual({
        code: 0,
        stdout: "Not initialized (run 'ctx init')\n",
        stderr: ""
      })
      const asJson = yield* run(outside, ["status", "--json"])
      expect(json(asJson.stdout)).toMatchObject({ initialized: false, local_pages: 0, never_pushed: [] })
      expect(yield* run(outside, ["read", "x"])).toEqual({
        code: 4,
        stdout: "",
        stderr: "Error: Not initialized (run 'ctx init')\n"
      })
      const failed = yield* run(outside, ["pull", "--json"])
      expect(failed.code).toBe(4)
      expect(json(failed.stdout)).toEqual({
        error: { kind: "NotInProject", message: "Not initialized (run 'ctx init')" }
      })
    })
  )

  it.scopedLive("write takes stdin or a file, read gives the page back, --json one document", () =>
    Effect.gen(function* () {
      const { ctx, root, says } = yield* project
      const args = [
        "write",
        "retry-rule",
        "--type",
        "concept",
        "--tag",
        "billing",
        "--tag",
        "api",
        "--summary",
        "Three times."
      ]
      const written = yield* ctx(args, { stdin: "## Decision\n\nThree times, `--help` or not.\n" })
      expect(written).toEqual({ code: 0, stdout: "Wrote wiki/concepts/retry-rule.md\n", stderr: "" })

      const bytes = readFileSync(page(root, "retry-rule"), "utf8")
      expect(yield* says("read", "retry-rule")).toBe(bytes)
      expect(bytes).toContain("reasoning_summary: Three times.")
      expect(json(yield* says("read", "retry-rule", "--json"))).toEqual({
        path: "wiki/concepts/retry-rule.md",
        type: "concept",
        slug: "retry-rule",
        text: bytes
      })
      expect(yield* says("read", "retry-rule", "--framed")).toMatch(
        /^> \*\*Shared knowledge page\*\*[^]*---\n\n---\nschema: /
      )

      writeFileSync(join(root, "page.md"), "## Decision\n\nFive times.\n")
      yield* says("write", "retry-rule", "--type", "concept", "--", "page.md")
      const edited = readFileSync(page(root, "retry-rule"), "utf8")
      expect(edited).toContain("Five times.")
      expect(edited).toContain("billing")
    })
  )

  it.scopedLive("refuses input that it cannot take, and changes nothing", () =>
    Effect.gen(function* () {
      const { ctx, root } = yield* project
      const refused = (args: ReadonlyArray<string>, stdin: string | Uint8Array = "") =>
        Effect.map(ctx(["write", ...args], { stdin }), ({ code, stderr, stdout }) => {
          expect(stdout).toBe("")
          expect(existsSync(page(root, "x"))).toBe(false)
          return [code, stderr.trim()]
        })
      expect(yield* refused(["x", "--type", "concept", "nowhere.md"])).toEqual([
        1,
        "Error: nowhere.md: there is no such file. Nothing was written."
      ])
      expect(yield* refused(["x", "--type", "concept"], Uint8Array.of(0xff, 0xfe))).toEqual([
        1,
        "Error: standard input: not UTF-8 text. Nothing was written."
      ])
      expect((yield* refused(["x", "--type", "concept"], "a\0b"))[1]).toContain("NUL")
      expect((yield* refused(["../x", "--type", "concept"], "a"))[1]).toContain('invalid slug "../x"')
    })
  )

  it.scopedLive("finds the project from a folder below, and --root names one from anywhere (A18)", () =>
    Effect.gen(function* () {
      const { root, write } = yield* project
      yield* write("a", "## A\n")
      const below = join(root, "src", "deep")
      yield* execute(["mkdir", "-p", below], { cwd: root })
      const elsewhere = yield* folder
      for (const args of [
        ["status"],
        ["status", "--root", root],
        ["--root", root, "status"],
        [`--root=${root}`, "status"]
      ]) {
        const { stdout } = yield* run(args.length === 1 ? below : elsewhere, args)
        expect(lines(stdout)).toContain("Local pages: 1")
      }
      const byVariable = yield* run(elsewhere, ["status", "--json"], { env: { CONTEXO_ROOT: root } })
      expect(json(byVariable.stdout)).toMatchObject({ root, local_pages: 1 })
    })
  )

  it.scopedLive("an empty project next to another one points at it (A18)", () =>
    Effect.gen(function* () {
      const { ctx, root } = yield* project
      yield* execute(["mkdir", "-p", "packages/api"], { cwd: root })
      const nested = join(root, "packages", "api")
      yield* run(nested, ["init", "--no-mcp", "--here"])
      expect(lines((yield* ctx(["status"])).stdout).at(-1)).toBe(`No pages here, but another project is at ${nested}`)
    })
  )

  it.scopedLive("one malformed page is named, and hides no other (A03)", () =>
    Effect.gen(function* () {
      const { root, says, write } = yield* project
      yield* write("good", "## A\n")
      writeFileSync(page(root, "bad"), "---\ntype: concept\ntags: [#abc, def]\n---\n# t\n")
      const status = lines(yield* says("status"))
      expect(status).toContain("Local pages: 1")
      expect(status.at(-1)).toMatch(/^Problem: wiki\/concepts\/bad\.md: /)
      expect(json(yield* says("status", "--json"))).toMatchObject({
        local_pages: 1,
        problems: [{ path: "wiki/concepts/bad.md" }]
      })
    })
  )
})

describe("what is broken is named, and left as it is", () => {
  it.scopedLive("a config that is not JSON", () =>
    Effect.gen(function* () {
      const { ctx, root } = yield* project
      const config = join(root, ".contexo", "config.json")
      writeFileSync(config, "{ oops")
      const status = yield* ctx(["status"])
      expect(status.code).toBe(0)
      expect(status.stdout).toMatch(/^Problem: config\.json: .+config\.json is not readable/m)
      const remote = yield* ctx(["remote", "set", "https://ctx.example.com"])
      expect([remote.code, remote.stdout]).toEqual([1, ""])
      expect(remote.stderr).toContain("config.json is not readable")
      expect(readFileSync(config, "utf8")).toBe("{ oops")
    })
  )

  it.scopedLive("a server's address, a repository's name, a page's name", () =>
    Effect.gen(function* () {
      const { ctx, write } = yield* project
      yield* write("there", "## A\n")
      const cases: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["remote", "set", "ftp://x"], "ftp://x"],
        [["remote", "set-repo", "a/b"], 'invalid repository id "a/b"'],
        [["read", "nowhere"], 'slug "nowhere" not found'],
        [["read", "..%2f..%2fx"], 'invalid slug "..%2f..%2fx"'],
        [["read", "there", "--root", "/nonexistent"], "Not initialized"],
        [["diff", "there", "--from", "zzz"], '--from wants a commit id of 7 to 64 hex digits, not "zzz"'],
        [["diff", "there", "--from=--output=/tmp/x"], "--from wants a commit id"]
      ]
      for (const [args, said] of cases) {
        const { code, stderr, stdout } = yield* ctx(args)
        expect(stdout).toBe("")
        expect(stderr).toContain(said)
        expect(stderr.trimEnd().split("\n")).toHaveLength(1)
        expect(code).toBeGreaterThan(0)
      }
    })
  )

  it.scopedLive("commands that need a server say what is missing, exit 4", () =>
    Effect.gen(function* () {
      const { ctx, write } = yield* project
      yield* write("there", "## A\n")
      for (const args of [["pull"], ["push"], ["log"], ["repo", "list"], ["diff", "there"]]) {
        const { code, stderr, stdout } = yield* ctx(args)
        expect([args, code, stdout]).toEqual([args, 4, ""])
        expect(stderr).toMatch(/^Error: server not configured \(run 'ctx remote set <url>'/)
      }
    })
  )
})

describe("stdout is the document", () => {
  it.scopedLive("logs never reach it, whatever is logged (A25)", () =>
    Effect.gen(function* () {
      const { ctx } = yield* project
      const noisy = yield* ctx(["status", "--json"], { env: { CTX_DEBUG: "1", NODE_DEBUG: "module" } })
      expect(json(noisy.stdout)).toMatchObject({ initialized: true })
    })
  )

  it.scopedLive("a reader that stops early is no failure (A27)", () =>
    Effect.gen(function* () {
      const { root, write } = yield* project
      yield* write("long", `## A\n\n${"words and more words\n".repeat(20_000)}`)
      const words = [...program("ctx"), "read", "long"].map((word) => `'${word}'`).join(" ")
      const piped = yield* execute(["bash", "-c", `${words} | head -1; echo "\${PIPESTATUS[0]}"`], { cwd: root })
      expect(piped).toEqual({ code: 0, stdout: "---\n0\n", stderr: "" })
      if (!existsSync("/dev/full")) return
      const full = yield* execute(["bash", "-c", `${words} > /dev/full`], { cwd: root })
      // Deno throws in its own words where Node gives the code.
      expect(full).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^Error: .*(cannot write the answer \(ENOSPC\)|No space left on device).*\n$/)
      })
    })
  )
})

describe("a project and its server", () => {
  it.scopedLive("login checks the token, and status, auth status and remote get tell the same story", () =>
    Effect.gen(function* () {
      const to = yield* server
      const { ctx, root, says } = yield* project
      const wrong = yield* ctx(["login", "--server", to.url, "--token", "ctxp_wrong", "--repo", "acme"])
      expect(wrong).toMatchObject({ code: 4, stdout: "" })
      expect(existsSync(join(root, ".contexo", "credentials.json"))).toBe(false)
      expect(yield* ctx(["auth", "status"])).toEqual({ code: 4, stdout: "Not authenticated\n", stderr: "" })

      const piped = yield* ctx(
        ["login", "--server", to.url, "--token", "-", "--repo", "acme", "--name", "Ada", "--email", "ada@example.com"],
        { stdin: `${to.token}\n` }
      )
      expect(piped).toEqual({
        code: 0,
        stdout: `Authenticated (personal access token) · server: ${to.url} · repo: acme\n`,
        stderr: ""
      })
      expect(statSync(join(root, ".contexo", "credentials.json")).mode & 0o777).toBe(0o600)
      expect(lines(yield* says("status"))).toEqual([
        "Initialized: yes",
        `Server: ${to.url}`,
        "Repo: acme",
        "Authenticated: yes (personal access token)",
        "User: Ada <ada@example.com>",
        "Local pages: 0",
        "Last pull: (never)",
        "Pages never pushed: 0",
        expect.stringMatching(/^Pages drifted on server: /)
      ])
      const auth = lines(yield* says("auth", "status"))
      expect(auth.slice(0, 3)).toEqual(["Authenticated: yes", `Server: ${to.url}`, "User: Ada <ada@example.com>"])
      expect(auth[3]).toMatch(/^Token: \S{4}\.\.\.\S{4} \(personal access token\)$/)
      expect(auth.join("\n")).not.toContain(to.token)
      expect(yield* says("remote", "get")).toBe(`Server: ${to.url}\nRepo:   acme\n`)
      expect(json(yield* says("remote", "get", "--json"))).toEqual({ server: to.url, repo: "acme" })
    })
  )

  it.scopedLive("repositories are created, listed, chosen and shared with a teammate", () =>
    Effect.gen(function* () {
      const to = yield* server
      const { ctx, root, says } = yield* project
      yield* says("login", "--server", to.url, "--token", to.token)
      expect(yield* says("repo", "list")).toBe("No repositories yet (run 'ctx repo create <id>')\n")
      expect(yield* ctx(["repo", "create", "acme"])).toEqual({
        code: 0,
        stdout: "Created acme\n",
        stderr: "To sync this project with it: ctx remote set-repo acme\n"
      })
      expect(yield* says("repo", "list")).toBe("acme  (owner)\n")
      expect(json(yield* says("repo", "list", "--json"))).toMatchObject({ repos: [{ id: "acme", role: "owner" }] })
      expect(yield* ctx(["remote", "set-repo"])).toMatchObject({ code: 2, stdout: "" })
      const shared = yield* says("remote", "set-repo", "acme", "--share")
      expect(lines(shared)[0]).toBe("Repo: acme")
      expect(json(readFileSync(join(root, "contexo.json"), "utf8"))).toEqual({ server_url: to.url, repo_id: "acme" })
    })
  )

  it.scopedLive("push, pull and log say what travelled, as text and as JSON", () =>
    Effect.gen(function* () {
      const to = yield* server
      const ada = yield* wired(to)
      const ben = yield* wired(to)
      expect(yield* ada.says("push")).toBe("Nothing to push (no pages match filters)\n")
      const missing = yield* ada.ctx(["log"])
      expect([missing.code, missing.stdout]).toEqual([1, ""])
      expect(missing.stderr).toMatch(/ answered 404: repository acme not found \(its first push makes it\)\n$/)
      yield* ada.ctx(["repo", "create", "acme"])
      expect(yield* ada.says("log")).toBe("No commits yet\n")
      yield* ada.write("retry-rule", "## Decision\n\nThree times.\n")
      yield* ada.write("queue", "## Decision\n\nOne.\n")

      expect(lines(yield* ada.says("push", "--dry-run"))).toEqual([
        "About to push 2 page(s) to acme:",
        "  [NEW]   wiki/concepts/queue.md",
        "  [NEW]   wiki/concepts/retry-rule.md",
        "",
        "(dry-run; no changes sent)"
      ])
      expect(yield* ada.says("push", "-ym", "first pages")).toMatch(/^Pushed 2 page\(s\); HEAD=[0-9a-f]{8}\n$/)
      expect(yield* ada.says("push")).toBe("Nothing to push (everything is already on the server)\n")

      expect(yield* ben.says("pull")).toMatch(/^Pulled 2 page\(s\); HEAD=[0-9a-f]{8}\n$/)
      expect(yield* ben.says("pull")).toBe("Already up to date\n")
      expect(readFileSync(page(ben.root, "queue"))).toEqual(readFileSync(page(ada.root, "queue")))

      yield* ben.write("queue", "## Decision\n\nTwo.\n")
      expect(lines(yield* ben.says("push", "--dry-run"))[1]).toBe("  [EDIT]  wiki/concepts/queue.md  (~ Decision)")
      expect(json(yield* ben.says("push", "--json"))).toEqual({
        outcome: "pushed",
        head: expect.stringMatching(/^[0-9a-f]{40}$/),
        pushed: [{ path: "wiki/concepts/queue.md", sha: expect.stringMatching(/^[0-9a-f]{40}$/) }],
        conflicts: []
      })
      const log = lines(yield* ada.says("log"))
      expect(log).toHaveLength(2)
      expect(log[0]).toMatch(/^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}.+ — ctx push \(1 pages\)$/)
      expect(log[1]).toMatch(/ — first pages$/)
      expect(lines(yield* ada.says("log", "--limit", "1"))).toHaveLength(1)
      expect(lines(yield* ada.says("status")).slice(-2)).toEqual([
        expect.stringMatching(/^ {2}wiki\/concepts\/queue\.md {3}\(local [0-9a-f]{8} → server [0-9a-f]{8}\)$/),
        "Behind server: 1 commit(s)"
      ])
      expect(json(yield* ada.says("pull", "--json"))).toEqual({
        outcome: "pulled",
        head: expect.stringMatching(/^[0-9a-f]{40}$/),
        pulled: ["wiki/concepts/queue.md"],
        merged: [],
        kept: [],
        deleted: []
      })
      const diff = lines(yield* ada.says("diff", "queue"))
      expect(diff[0]).toMatch(/^diff: queue {3}[0-9a-f]{7}\.\.[0-9a-f]{7}$/)
      expect(diff).toContain("  ~ ## Decision (2 lines changed)")
      expect(json(yield* ada.says("diff", "queue", "--json"))).toMatchObject({ sections: [{ heading: "## Decision" }] })
      yield* ada.write("queue", "## Decision\n\nTwo.\n\n## Next\n\nMore.\n")
      expect(yield* ada.says("diff", "queue", "--local")).toMatch(
        /^diff: queue {3}[0-9a-f]{7}\.\.local\n[^]*\+ ## Next \(\d+ lines? added\)\n {6}\+ More\.\n$/
      )
    })
  )

  it.scopedLive("a conflict in a headless run is one document and exit 3, and nothing is lost (A41)", () =>
    Effect.gen(function* () {
      const to = yield* server
      const ada = yield* wired(to)
      const ben = yield* wired(to)
      yield* ada.write("queue", "## Decision\n\nOne.\n")
      yield* ada.says("push")
      yield* ben.says("pull")
      yield* ada.write("queue", "## Decision\n\nTwo.\n")
      yield* ada.says("push")
      yield* ben.write("queue", "## Decision\n\nThree.\n")
      const mine = readFileSync(page(ben.root, "queue"), "utf8")

      const conflict = yield* ben.ctx(["push", "--json"])
      expect(conflict).toMatchObject({ code: 3, stderr: "" })
      expect(json(conflict.stdout)).toEqual({
        outcome: "merge_required",
        pushed: [],
        conflicts: [
          {
            path: "wiki/concepts/queue.md",
            current_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
            expected_parent_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
            sections: ["## Decision"]
          }
        ],
        directive: expect.stringMatching(/^<MERGE_REQUIRED>[^]*<\/MERGE_REQUIRED>$/)
      })
      expect(readFileSync(page(ben.root, "queue"), "utf8")).toBe(mine)
      expect(lines(yield* ben.says("status"))).toContain("Pages awaiting merge: 1")
      expect(json(yield* ben.says("status", "--json"))).toMatchObject({ awaiting_merge: ["wiki/concepts/queue.md"] })

      const again = yield* ben.ctx(["push"])
      expect(again.code).toBe(3)
      expect(again.stdout).toMatch(/^<MERGE_REQUIRED>[^]*<\/MERGE_REQUIRED>\n$/)
      expect(yield* ben.says("push", "--ours")).toMatch(/^Pushed 1 page\(s\)/)
      expect(yield* ada.says("pull")).toMatch(/^Pulled 1 page\(s\)/)
      expect(readFileSync(page(ada.root, "queue"), "utf8")).toContain("Three.")
    })
  )

  it.scopedLive("edits in different sections merge, when asked to, in one step", () =>
    Effect.gen(function* () {
      const to = yield* server
      const ada = yield* wired(to)
      const ben = yield* wired(to)
      yield* ada.write("queue", "## Decision\n\nOne.\n\n## Next\n\nNothing.\n")
      yield* ada.says("push")
      yield* ben.says("pull")
      yield* ada.write("queue", "## Decision\n\nTwo.\n\n## Next\n\nNothing.\n")
      yield* ada.says("push")
      yield* ben.write("queue", "## Decision\n\nOne.\n\n## Next\n\nMore.\n")
      expect(lines(yield* ben.says("push", "--auto-merge"))).toEqual([
        expect.stringMatching(/^Pushed 1 page\(s\); HEAD=/),
        "merged: wiki/concepts/queue.md"
      ])
      const merged = readFileSync(page(ben.root, "queue"), "utf8")
      expect(merged).toContain("Two.")
      expect(merged).toContain("More.")
    })
  )

  it.scopedLive("clocks that are wrong decide nothing: an edit counts by where it was made from (A39)", () =>
    Effect.gen(function* () {
      const to = yield* server
      const shifted = Effect.fnUntraced(function* (milliseconds: number) {
        const { root } = yield* wired(to)
        const preload = join(root, "clock.cjs")
        writeFileSync(preload, `const now = Date.now; Date.now = () => now() + ${milliseconds}`)
        const env = { NODE_OPTIONS: `--require ${preload}` }
        return { root, ctx: (args: ReadonlyArray<string>, stdin = "") => run(root, args, { stdin, env }) }
      })
      const early = yield* shifted(-3_600_000)
      const late = yield* shifted(10 * 365 * 86_400_000)
      const args = ["write", "queue", "--type", "concept"]
      yield* late.ctx(args, "## Decision\n\nOne.\n")
      expect((yield* late.ctx(["push"])).stdout).toMatch(/^Pushed 1 /)
      expect((yield* early.ctx(["pull"])).stdout).toMatch(/^Pulled 1 /)
      yield* early.ctx(args, "## Decision\n\nTwo.\n")
      expect(readFileSync(page(early.root, "queue"), "utf8")).toMatch(/^updated: 20\d\d-/m)
      expect((yield* early.ctx(["push"])).stdout).toMatch(/^Pushed 1 /)

      // Ten years "older", and still the newer version.
      expect((yield* late.ctx(["pull"])).stdout).toMatch(/^Pulled 1 /)
      expect(readFileSync(page(late.root, "queue"), "utf8")).toContain("Two.")
      // An edit with the newest clock of all is still an edit from a stale version.
      yield* early.ctx(args, "## Decision\n\nThree.\n")
      expect((yield* early.ctx(["push"])).stdout).toMatch(/^Pushed 1 /)
      yield* late.ctx(args, "## Decision\n\nFour.\n")
      expect(yield* late.ctx(["push"])).toMatchObject({ code: 3 })
      expect((yield* early.ctx(["pull"])).stdout).toBe("Already up to date\n")
      expect(readFileSync(page(early.root, "queue"), "utf8")).toContain("Three.")
    })
  )

  it.scopedLive("at a terminal, a push that edits pages shows them and asks", () =>
    Effect.gen(function* () {
      const to = yield* server
      const ada = yield* wired(to)
      yield* ada.write("queue", "## Decision\n\nOne.\n")
      yield* ada.says("push")
      yield* ada.write("queue", "## Decision\n\nTwo.\n")
      const question = "Proceed? [y/N]: "
      const no = yield* atTerminal(ada.root, ["push"], { question, answer: "n" })
      expect(no.code).toBe(0)
      expect(no.stdout).toContain("About to push 1 page(s) to acme:\n  [EDIT]  wiki/concepts/queue.md  (~ Decision)\n")
      expect(no.stdout).toContain("Aborted.")
      const yes = yield* atTerminal(ada.root, ["push"], { question, answer: "y" })
      expect(yes.code).toBe(0)
      expect(yes.stdout).toMatch(/Pushed 1 page\(s\); HEAD=[0-9a-f]{8}/)
    })
  )

  it.scopedLive("at a terminal, login asks for the token and does not show it, and set-repo lets one choose", () =>
    Effect.gen(function* () {
      const to = yield* server
      const { root, says } = yield* project
      const login = ["auth", "login", "--server", to.url]
      const asked = yield* atTerminal(root, login, { question: "Token: ", answer: to.token })
      expect(asked.code).toBe(0)
      expect(asked.stdout).toContain(`Authenticated (personal access token) · server: ${to.url} · repo: (none)`)
      expect(asked.stdout).not.toContain(to.token)
      yield* says("repo", "create", "acme")
      yield* says("repo", "create", "zebra")
      const chosen = yield* atTerminal(root, ["remote", "set-repo"], { question: "Repository: ", answer: "2" })
      expect(chosen.stdout).toContain("  1  acme   (owner)\n  2  zebra  (owner)\n")
      expect(yield* says("remote", "get")).toBe(`Server: ${to.url}\nRepo:   zebra\n`)
    })
  )

  it.scopedLive("without a server that answers, status still tells what it knows, and a push says what to do", () =>
    Effect.gen(function* () {
      const { ctx, root, says } = yield* project
      const credentials = { token: `ctxp_${"a".repeat(32)}`, server_url: "http://127.0.0.1:9" }
      writeFileSync(join(root, ".contexo", "credentials.json"), JSON.stringify(credentials), { mode: 0o600 })
      yield* says("remote", "set", "http://127.0.0.1:9")
      yield* says("remote", "set-repo", "acme")
      const status = yield* ctx(["status"])
      expect(status.code).toBe(0)
      expect(lines(status.stdout).at(-1)).toMatch(/^Pages drifted on server: unknown \(.+\)$/)
      expect(lines(yield* says("status", "--no-drift")).at(-1)).toBe("Pages never pushed: 0")
      const pull = yield* ctx(["pull"])
      expect(pull).toMatchObject({ code: 1, stdout: "" })
      expect(pull.stderr).toMatch(/^Error: http:\/\/127\.0\.0\.1:9\S* did not answer /)
    })
  )
})

describe("ctx serve", () => {
  it.scopedLive("gives the owner's token on the very first start only, and keeps what was pushed", () =>
    Effect.gen(function* () {
      const data = yield* folder
      const ada = yield* project
      const token = yield* Effect.scoped(
        Effect.gen(function* () {
          const first = yield* serverOn(data)
          expect(first.token).toMatch(/^ctxp_/)
          yield* ada.says("login", "--server", first.url, "--token", first.token ?? "", "--repo", "acme")
          yield* ada.write("queue", "## Decision\n\nOne.\n")
          yield* ada.says("push")
          return first.token
        })
      )
      const second = yield* serverOn(data)
      expect(second.token).toBeNull()
      const ben = yield* wired({ url: second.url, token: token ?? "" })
      expect(yield* ben.says("pull")).toMatch(/^Pulled 1 page\(s\)/)
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, execute, folder, program, server } from "../support/cli.ts"
import { mcpProcess } from "../support/mcp.ts"

/** A project of a logged-in user beside a real server, and a session whose turns the real hook records. */
const project = Effect.gen(function* () {
  const { token, url } = yield* server
  const root = yield* folder
  yield* ctx(root, ["init", "--no-mcp"])
  yield* ctx(root, ["login", "--server", url, "--token", token, "--repo", "acme", "--name", "Ada"])
  const transcript = join(root, "s1.jsonl")
  const line = (type: string, turn: number, content: string) =>
    `${JSON.stringify({ type, uuid: `${type}-${turn}`, sessionId: "s1", timestamp: "2026-12-01T09:12:44Z", message: { role: type, content } })}\n`
  /** A turn of Claude Code: what was said, and its Stop event. */
  const turn = (n: number, answer: string) =>
    Effect.gen(function* () {
      appendFileSync(transcript, line("user", n, `why ${n}?`) + line("assistant", n, answer))
      const stdin = JSON.stringify({
        hook_event_name: "Stop",
        session_id: "s1",
        transcript_path: transcript,
        cwd: root
      })
      const hooked = yield* execute([...program("ctx-mcp"), "hook", "--agent", "claude"], { cwd: root, stdin })
      expect(hooked).toEqual({ code: 0, stdout: "", stderr: "" })
    })
  return { root, turn, at: (path: string) => join(root, ".contexo", path) }
})

const body = "## Decision\n\nThree times.\n"

describe("from the turns of a session to the page that says why", () => {
  it.scopedLive("three turns, a pause, the source page, one commit, the buffer archived, no second pause", () =>
    Effect.gen(function* () {
      const { at, root, turn } = yield* project
      for (const n of [1, 2, 3]) yield* turn(n, n === 2 ? `use ctxp_${"aB3dE6fG9hJ2kL5m"} to log in` : "because")
      const { peer } = yield* mcpProcess(root)
      yield* peer.greet("claude-code")
      yield* peer.call("ctx_write_page", { slug: "retry-rule", type: "concept", body, tags: ["billing"] })
      expect((yield* peer.call("ctx_status")).text).toContain("Pending capture buffers: 1")

      const { text: paused } = yield* peer.call("ctx_push")
      expect(paused).toMatch(/^<PUSH_PAUSED reason=distill_required>\n[\s\S]*\n<\/PUSH_PAUSED>$/)
      expect(paused).toContain('"turn":3,"user":"why 3?","assistant":"because"')
      expect(paused).toContain("use [redacted:ctx-token] to log in")
      const slug = /source_slug: {2}"([^"]+)"/.exec(paused)?.[1] ?? ""
      expect(yield* peer.call("ctx_push", { distill_done: true, source_slug: slug })).toEqual({
        isError: true,
        text: `ctx_push: distill_done set but source page "${slug}" not found at raw/sessions/${slug}.md — write it first with ctx_write_page(type="source", slug="${slug}", ...)`
      })
      yield* peer.call("ctx_write_page", { slug, type: "source", body: "## Decision\n\nThree, because of the bank.\n" })
      const { text: pushed } = yield* peer.call("ctx_push", { distill_done: true, source_slug: slug })
      expect(pushed).toMatch(/^Pushed 2 page\(s\); HEAD=[0-9a-f]{8}$/)

      expect(readFileSync(at("wiki/concepts/retry-rule.md"), "utf8")).toContain(`sources:\n  - "${slug}"\n`)
      expect((yield* ctx(root, ["log"])).stdout.trim().split("\n")).toHaveLength(1)
      expect(existsSync(at("raw/sessions/_pending/s1.jsonl"))).toBe(false)
      expect(existsSync(at("raw/sessions/_pending/_archive/s1.jsonl"))).toBe(true)
      expect(JSON.parse((yield* ctx(root, ["status", "--json", "--no-drift"])).stdout)).toMatchObject({
        pending_buffers: 0
      })
      yield* peer.call("ctx_write_page", { slug: "retry-rule", type: "concept", body: "## Decision\n\nTwice.\n" })
      expect((yield* peer.call("ctx_push")).text).toMatch(/^Pushed 1 page/)

      // The session goes on: what comes now is new, and what was distilled does not come back.
      yield* turn(4, "and because")
      const captured = (yield* peer.call("ctx_capture_session")).text
      expect(captured).toMatch(/^<CAPTURE_TEMPLATE>\n/)
      expect(captured).toContain('"turn":4,"user":"why 4?"')
      expect(captured).not.toContain("why 3?")
      const prompt = yield* peer.request("prompts/get", { name: "distill", arguments: { session_id: "s1" } })
      expect(JSON.stringify(prompt.result)).toContain("<CAPTURE_TEMPLATE>")
    })
  )

  it.scopedLive("the command line pauses when it is asked to (exit 3), and shows what is pending", () =>
    Effect.gen(function* () {
      const { root, turn } = yield* project
      expect((yield* ctx(root, ["capture", "status"])).stdout).toBe("No pending capture buffers.\n")
      yield* turn(1, "because")
      expect((yield* ctx(root, ["capture", "status"])).stdout).toMatch(/^ {2}s1 {2}\(1 turn, last write \d+s ago\)\n$/)
      expect((yield* ctx(root, ["capture", "show"])).stdout).toBe(
        "#1  2026-12-01T09:12:44Z\n  user: why 1?\n  assistant: because\n"
      )
      expect(JSON.parse((yield* ctx(root, ["capture", "show", "s1", "--json"])).stdout)).toMatchObject({
        session: "s1",
        turns: [{ turn: 1, user: "why 1?" }]
      })
      const write = (slug: string, ...more: ReadonlyArray<string>) =>
        ctx(root, ["write", slug, "--type", ...more], { stdin: body })
      yield* write("one", "concept")
      const paused = yield* ctx(root, ["push", "--distill"])
      expect(paused).toMatchObject({
        code: 3,
        stdout: expect.stringContaining("<PUSH_PAUSED reason=distill_required>")
      })
      const document = yield* ctx(root, ["push", "--distill", "--json"])
      expect(document.code).toBe(3)
      expect(JSON.parse(document.stdout)).toMatchObject({ outcome: "paused", pushed: [], conflicts: [] })
      expect(yield* ctx(root, ["push"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Pushed 1 page/) })
      yield* write("one-why", "source")
      yield* write("two", "concept")
      const done = yield* ctx(root, ["push", "--distill-done", "--source-slug", "one-why"])
      expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Pushed 2 page/) })
      for (const wrong of [["--distill-done"], ["--source-slug", "x"], ["--distill", "--no-distill"]]) {
        expect((yield* ctx(root, ["push", ...wrong])).code).toBe(2)
      }
    })
  )

  it.scopedLive("A42: a push with a secret in a page: exit 1, page, line and rule, and never the secret", () =>
    Effect.gen(function* () {
      const { at, root } = yield* project
      const secret = `ghp_${"aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xYaB3d"}`
      yield* ctx(root, ["write", "leak", "--type", "concept"], { stdin: `## Setup\n\nexport GH_TOKEN=${secret}\n` })
      const line = readFileSync(at("wiki/concepts/leak.md"), "utf8")
        .split("\n")
        .findIndex((one) => one.includes("GH_"))
      const refused = yield* ctx(root, ["push", "--json"], { env: { CTX_DEBUG: "1" } })
      expect(refused.code).toBe(1)
      expect(JSON.parse(refused.stdout)).toEqual({
        outcome: "refused",
        pushed: [],
        conflicts: [],
        secrets: [{ path: "wiki/concepts/leak.md", line: line + 1, rule: "github" }]
      })
      const said = yield* ctx(root, ["push"])
      expect(said).toMatchObject({ code: 1, stdout: expect.stringContaining(`leak.md:${line + 1} (github)`) })
      expect(refused.stdout + refused.stderr + said.stdout + said.stderr).not.toContain(secret)
      expect((yield* ctx(root, ["push", "--allow-secret", "github"])).code).toBe(0)
    })
  )
})

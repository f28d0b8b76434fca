import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { ctx, execute, folder, serverOn } from "../support/cli.ts"

const json = (text: string): { readonly findings: ReadonlyArray<Record<string, unknown>>; readonly ok: boolean } =>
  JSON.parse(text)

/** A project in a repository, with one page that is on a server; and that server's data. */
const shared = Effect.gen(function* () {
  const data = yield* folder
  const { token, url } = yield* serverOn(data)
  const root = yield* folder
  yield* execute(["git", "init", "-q"], { cwd: root })
  yield* ctx(root, ["init", "--no-mcp", "--no-hooks"])
  yield* ctx(root, ["login", "--server", url, "--token", token ?? "", "--repo", "acme"])
  yield* ctx(root, ["write", "a", "--type", "concept", "-"], { stdin: "## A\n" })
  yield* ctx(root, ["push"])
  return { root, data, token: token ?? "" }
})

describe("ctx doctor", () => {
  it.scopedLive("finds no problem where there is none, names those there are, and fixes what is safe", () =>
    Effect.gen(function* () {
      const { data, root, token } = yield* shared
      const healthy = yield* ctx(root, ["doctor", "--read-data", "--json"])
      expect(healthy).toMatchObject({ code: 0, stderr: "" })
      const document = json(healthy.stdout)
      expect(Object.keys(document)).toEqual(["findings", "ok"])
      expect(document.ok).toBe(true)
      expect(document.findings.filter(({ level }) => level !== "ok")).toEqual([])
      for (const check of ["runtime", "lock", "server", "clock", "page-data", "base-data", "server-content"]) {
        expect(document.findings.map((one) => one["check"])).toContain(check)
      }

      chmodSync(join(root, ".contexo", "credentials.json"), 0o644)
      writeFileSync(join(root, ".gitignore"), "")
      writeFileSync(join(root, ".contexo", "wiki", "concepts", "bad.md"), "---\ntags: [#a\n---\n")
      writeFileSync(join(root, ".contexo", "wiki", "concepts", "\u001b[31mred.md"), "x")
      const sick = yield* ctx(root, ["doctor"])
      expect(sick).toMatchObject({ code: 1, stderr: "" })
      expect(sick.stdout).toMatch(
        /^problem {2}credentials-mode: credentials\.json: others .*\n {9}-> 'ctx doctor --fix'/m
      )
      expect(sick.stdout).toMatch(/^problem {2}gitignore: credentials\.json: /m)
      expect(sick.stdout).toMatch(/^problem {2}malformed-page: wiki\/concepts\/bad\.md: /m)
      expect(sick.stdout).toMatch(/^problem {2}foreign-name: wiki\/concepts\/red\.md: /m)
      expect(sick.stdout).toMatch(/\n4 problem\(s\), 0 warning\(s\), \d+ note\(s\)\n$/)
      expect(sick.stdout).not.toContain("\u001b")
      expect(sick.stdout).not.toContain(token)

      const fixed = yield* ctx(root, ["doctor", "--fix", "--json"])
      expect(fixed.code).toBe(1)
      expect(json(fixed.stdout)).toMatchObject({
        ok: false,
        fixed: [
          "credentials.json is readable by you alone now (0600)",
          ".gitignore names .contexo/ now",
          "read 1 page(s) anew",
          "wrote index.md and tags.md anew"
        ]
      })
      const left = json(fixed.stdout).findings.filter(({ level }) => level === "problem")
      expect(left.map((one) => one["check"])).toEqual(["foreign-name", "malformed-page"])
      expect(statSync(join(root, ".contexo", "credentials.json")).mode & 0o777).toBe(0o600)
      expect(readFileSync(join(root, ".gitignore"), "utf8")).toContain("\n.contexo/\n")

      const server = yield* ctx(root, ["doctor", "--read-data", "--data", data])
      expect(server.code).toBe(0)
      expect(server.stdout).toContain("server-data: 1 repositories, 1 commit(s) and 1 version(s) read, 0 fault(s)\n")
      const db = new DatabaseSync(join(data, "server.db"))
      db.exec("UPDATE commits SET message = 'rewritten'")
      db.close()
      const rewritten = yield* ctx(root, ["doctor", "--read-data", "--data", data])
      expect(rewritten.code).toBe(1)
      expect(rewritten.stdout).toMatch(/^problem {2}server-data: .*server\.db: acme: commit 1 does not have the id/m)
      expect((yield* ctx(root, ["doctor", "--data", data])).code).toBe(0)
    })
  )

  it.scopedLive("outside a project it is told so; a data folder needs none", () =>
    Effect.gen(function* () {
      const here = yield* folder
      expect(yield* ctx(here, ["doctor"])).toMatchObject({ code: 4, stdout: "" })
      expect(yield* ctx(here, ["doctor", "--fix", "--data", "."])).toMatchObject({ code: 2 })
      const empty = yield* ctx(here, ["doctor", "--data", ".", "--json"])
      expect(empty.code).toBe(1)
      expect(json(empty.stdout).findings).toContainEqual(
        expect.objectContaining({ check: "server-data", level: "problem", path: join(here, "server.db") })
      )
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder } from "../support/cli.ts"
import { full, onFullDisk, onReadOnlyDisk } from "../support/refusingDisk.ts"

const project = Effect.gen(function* () {
  const root = yield* folder
  yield* ctx(root, ["init", "--no-mcp"])
  return root
})
const write = (root: string, slug: string, body: string, type = "concept") =>
  ctx(root, ["write", slug, "--type", type, "--tag", "pay", "-"], { stdin: body })
const page = (root: string, slug: string) => join(root, ".contexo", "wiki", "concepts", `${slug}.md`)

describe("ctx export and ctx import", () => {
  it.scopedLive("carry a wiki to another project through a pipe, byte for byte", () =>
    Effect.gen(function* () {
      const [from, to] = [yield* project, yield* project]
      yield* write(from, "rule", "## Decision\n\nSee [[billing]]. 🟡\r\n")
      yield* write(from, "billing", "## A\n", "entity")
      yield* write(from, "chat", "## Said\n", "source")
      const archive = yield* ctx(from, ["export", "--format", "archive", "--out", "-"])
      expect(archive).toMatchObject({ code: 0, stderr: "" })
      const dry = yield* ctx(to, ["import", "-", "--dry-run"], { stdin: archive.stdout })
      expect(dry).toMatchObject({ code: 0, stdout: "Would import 3 page(s)\n" })
      expect(existsSync(page(to, "rule"))).toBe(false)
      const done = yield* ctx(to, ["import", "-"], { stdin: archive.stdout })
      expect(done).toMatchObject({ code: 0, stdout: "Imported 3 page(s)\n", stderr: "" })
      expect(readFileSync(page(to, "rule"))).toEqual(readFileSync(page(from, "rule")))
      expect((yield* ctx(to, ["export", "--format=archive", "--out=-"])).stdout).toBe(archive.stdout)
      expect((yield* ctx(to, ["import", "-"], { stdin: archive.stdout })).stdout).toBe(
        "Imported 0 page(s); 3 are here already\n"
      )
    })
  )

  it.scopedLive("name what differs, and replace it only when they are asked to (exit 3)", () =>
    Effect.gen(function* () {
      const [from, to] = [yield* project, yield* project]
      yield* write(from, "rule", "## A\n")
      yield* write(to, "rule", "## B\n")
      expect(yield* ctx(from, ["export", "--format", "archive"])).toMatchObject({
        code: 0,
        stdout: `Exported 1 page(s) to ${join(from, "contexo-export.jsonl")}\n`
      })
      const file = join(from, "contexo-export.jsonl")
      const mine = readFileSync(page(to, "rule"))
      const kept = yield* ctx(to, ["import", file])
      expect(kept).toMatchObject({
        code: 3,
        stdout:
          "Imported 0 page(s)\nkept: wiki/concepts/rule.md (differs from the page here; --overwrite replaces it)\n"
      })
      expect(readFileSync(page(to, "rule"))).toEqual(mine)
      const json = yield* ctx(to, ["import", file, "--overwrite", "--json"])
      expect(json.code).toBe(0)
      expect(JSON.parse(json.stdout)).toEqual({
        dry_run: false,
        created: [],
        overwritten: ["wiki/concepts/rule.md"],
        unchanged: [],
        conflicts: [],
        secrets: []
      })
      expect(readFileSync(page(to, "rule"))).toEqual(readFileSync(page(from, "rule")))
    })
  )

  it.scopedLive("make a folder or a vault, and leave what stands there", () =>
    Effect.gen(function* () {
      const root = yield* project
      yield* write(root, "rule", "## A\n\n[[billing]]\n")
      yield* write(root, "billing", "## B\n", "entity")
      expect((yield* ctx(root, ["export"])).stdout).toBe(`Exported 2 page(s) to ${join(root, "contexo-export")}\n`)
      const plain = (slug: string) => readFileSync(join(root, "contexo-export", "wiki", "concepts", slug), "utf8")
      expect(plain("rule.md")).toContain("[billing](../entities/billing.md)")
      mkdirSync(join(root, "vault", "wiki", "concepts"), { recursive: true })
      writeFileSync(join(root, "vault", "wiki", "concepts", "rule.md"), "mine")
      const vault = yield* ctx(root, ["export", "--format", "obsidian", "--out", "vault", "--json"])
      expect(vault.code).toBe(3)
      expect(JSON.parse(vault.stdout)).toEqual({
        format: "obsidian",
        out: join(root, "vault"),
        written: ["wiki/entities/billing.md"],
        unchanged: [],
        kept: [{ path: "wiki/concepts/rule.md", reason: "another file stands there, or this one was edited" }],
        left: [],
        left_out: []
      })
      const none = yield* ctx(root, ["export", "--tag", "none"])
      expect(none).toMatchObject({ code: 0, stdout: "Nothing to export (no pages match filters)\n" })
    })
  )

  it.scopedLive("say what is wrong with a command line or a file", () =>
    Effect.gen(function* () {
      const root = yield* project
      yield* write(root, "rule", "## A\n")
      const fails = (args: ReadonlyArray<string>, stdin = "") => ctx(root, args, { stdin })
      expect(yield* fails(["export", "--out", "-"])).toMatchObject({
        code: 2,
        stderr: "Error: ctx export: --out - takes one file: add --format archive. See 'ctx export --help'.\n"
      })
      expect((yield* fails(["export", "--format", "archive", "--out", "-", "--json"])).code).toBe(2)
      expect((yield* fails(["export", "--format", "zip"])).code).toBe(2)
      expect((yield* fails(["import"])).code).toBe(2)
      expect(yield* fails(["import", "gone.jsonl"])).toMatchObject({
        code: 1,
        stdout: "",
        stderr: "Error: gone.jsonl: there is no such file. Nothing was written.\n"
      })
      const hostile = yield* fails(
        ["import", "-", "--json"],
        '{"record":"manifest","format":"ctx-pages","version":1,"pages":[{"path":"../../x.md","bytes":0,"sha256":""}]}\n'
      )
      expect(hostile.code).toBe(1)
      expect(JSON.parse(hostile.stdout)).toEqual({
        error: { kind: "InvalidArchive", message: expect.stringContaining("Nothing was imported.") }
      })
      expect(yield* ctx(yield* folder, ["import", "-"])).toMatchObject({ code: 4 })
    })
  )

  it.scopedLive(`write no half of a file on a disk that is full (${full}) or read-only`, () =>
    Effect.gen(function* () {
      const [from, to] = [yield* project, yield* project]
      yield* write(from, "long", `## A\n\n${"A longer page than there is room for.\n".repeat(4_000)}`)
      yield* write(to, "mine", "## A\n")
      const { stdout: archive } = yield* ctx(from, ["export", "--format", "archive", "--out", "-"])
      const onFull = yield* onFullDisk(yield* folder, to)(["import", "-"], archive)
      expect(onFull).toMatchObject({ code: 1, stdout: "", differences: [] })
      expect(onFull.stderr).toMatch(/long\.md: cannot write .* 0 of 1 page\(s\) had been written: import again/)
      for (const args of [["export"], ["export", "--format", "archive"]]) {
        const exported = yield* onFullDisk(yield* folder, from)(args)
        expect(exported).toMatchObject({ code: 1, stdout: "", differences: [] })
        expect(exported.stderr).toMatch(/^Error: .*contexo-export.*: cannot (write|create) \(.*\)/)
      }
      const readOnly = onReadOnlyDisk(yield* folder, from)
      expect(yield* readOnly(["export"])).toMatchObject({ code: 1, differences: [] })
      // What only reads works there too.
      expect((yield* readOnly(["export", "--format", "archive", "--out", "-"])).stdout).toBe(archive)
      expect(statSync(page(from, "long")).size).toBeGreaterThan(100_000)
    })
  )
})

import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scanFolder } from "../../../src/services/page/FolderScan.ts"
import { type SeenFile, seenFile } from "../../../src/services/page/PageFile.ts"
import { stampOf } from "../../../src/services/page/PageScanDriver.ts"
import { tempProject } from "../../support/disk/project.ts"
import { page, text } from "../../support/disk/store.ts"

const a = page("wiki/concepts/a.md")
const bytesOf = (content: string) => new TextEncoder().encode(content)

/** A file on disk, and what an earlier look saw there: other content of the same size, under the very same stamp. */
const setUp = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* tempProject
  const contexo = `${root}/.contexo`
  const real = `${contexo}/wiki/concepts`
  yield* fs.makeDirectory(real, { recursive: true })
  yield* fs.writeFileString(`${real}/a.md`, text("new"))
  const stamp = stampOf(`${real}/a.md`)
  if (stamp === undefined) return yield* Effect.dieMessage("the file is there")
  const sawAt = (now: number) => seenFile(a, bytesOf(text("old")), stamp, now, undefined)
  const scan = (before: SeenFile, now: number) =>
    scanFolder({ contexo, type: "concept", real, now, before: { names: ["a.md"], seen: [before] } }, ["a.md"])
  return { stamp, sawAt, scan }
})

describe("git's racy rule: a change that hides behind the same size and times", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("is found while the file was young when it was read", () =>
      Effect.gen(function* () {
        const { sawAt, scan, stamp } = yield* setUp
        for (const age of [-60_000, 0, 1_000, 1_999]) {
          const before = sawAt(stamp.ctime + age)
          const { read, same, view } = yield* scan(before, stamp.ctime + 10_000)
          expect([before.racy, same, read.length]).toEqual([true, false, 1])
          expect(view.seen[0]).toMatchObject({ _tag: "Page", racy: false, entry: { lead: "new" } })
        }
      })
    )

    it.scoped("cannot be there when it was old, and then the file is not read", () =>
      Effect.gen(function* () {
        const { sawAt, scan, stamp } = yield* setUp
        const before = sawAt(stamp.ctime + 2_001)
        const { read, same, view } = yield* scan(before, stamp.ctime + 10_000)
        expect([before.racy, same, read.length]).toEqual([false, true, 0])
        expect(view.seen[0]).toBe(before)
      })
    )

    it.scoped("once ruled out is not looked for again, and the entry stays the same object", () =>
      Effect.gen(function* () {
        const { scan, stamp } = yield* setUp
        const before = seenFile(a, bytesOf(text("new")), stamp, stamp.ctime, undefined)
        const { view } = yield* scan(before, stamp.ctime + 10_000)
        const [after] = view.seen
        if (after?._tag !== "Page" || before._tag !== "Page") return yield* Effect.dieMessage("both are pages")
        expect(after.entry).toBe(before.entry)
        expect(after.racy).toBe(false)
      })
    )
  })
})

import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { describe, expect, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { writeAtomically } from "../../../src/services/files/AtomicFile.ts"
import { faultyFileSystem } from "../../support/disk/faults.ts"
import { bundled, childAt, runChild, runCramped } from "../../support/disk/children.ts"
import { tempFolder } from "../../support/disk/project.ts"

/** What one write asks of the disk, in this order. */
const calls = ["open", "writeAll", "sync", "rename"]

describe("writeAtomically", () => {
  layer(NodeContext.layer, { excludeTestServices: true })((it) => {
    it.scoped("creates and replaces, byte for byte, and leaves nothing else in the folder", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        const bytes = new Uint8Array([0xef, 0xbb, 0xbf, 0, 255, 10])
        yield* writeAtomically(`${folder}/a`, "old")
        yield* writeAtomically(`${folder}/a`, bytes)
        expect(yield* fs.readFile(`${folder}/a`)).toEqual(Buffer.from(bytes))
        expect(yield* fs.readDirectory(folder)).toEqual(["a"])
      })
    )

    it.scoped("enforces a mode whatever the umask, and keeps a replaced file's own", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        const mode = (name: string) => Effect.map(fs.stat(`${folder}/${name}`), (info) => info.mode & 0o777)
        yield* writeAtomically(`${folder}/secret`, "x", { mode: 0o600 })
        expect(yield* mode("secret")).toBe(0o600)
        yield* fs.chmod(`${folder}/secret`, 0o640)
        yield* writeAtomically(`${folder}/secret`, "y")
        expect(yield* mode("secret")).toBe(0o640)
        yield* writeAtomically(`${folder}/secret`, "z", { mode: 0o622 })
        expect(yield* mode("secret")).toBe(0o622)
      })
    )

    it.scoped("replaces a symbolic link and leaves its target alone", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        yield* fs.writeFileString(`${folder}/target`, "untouched")
        yield* fs.symlink(`${folder}/target`, `${folder}/link`)
        yield* writeAtomically(`${folder}/link`, "new")
        expect(yield* fs.readFileString(`${folder}/target`)).toBe("untouched")
        expect(yield* fs.readFileString(`${folder}/link`)).toBe("new")
      })
    )

    for (const [index, call] of calls.entries()) {
      it.scoped(`keeps the old content and cleans up when ${call} fails with ENOSPC (A36)`, () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* tempFolder
          yield* fs.writeFileString(`${folder}/page.md`, "old")
          const failure = yield* writeAtomically(`${folder}/page.md`, "new content").pipe(
            // The mode of the old file is kept, which is one more call between writing and flushing.
            Effect.provide(faultyFileSystem({ at: index < 2 ? index + 1 : index + 2, code: "ENOSPC" })),
            Effect.flip
          )
          expect(failure).toMatchObject({ _tag: "FileFailure", path: `${folder}/page.md`, reason: "ENOSPC" })
          expect(yield* fs.readFileString(`${folder}/page.md`)).toBe("old")
          expect(yield* fs.readDirectory(folder)).toEqual(["page.md"])
        })
      )
    }

    it.scoped("tries a rename again while somebody has the file open (A36)", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        yield* Effect.forEach(["EPERM", "EBUSY", "EACCES"], (code) =>
          writeAtomically(`${folder}/${code}`, "new").pipe(Effect.provide(faultyFileSystem({ at: 4, code })))
        )
        expect(yield* fs.readDirectory(folder)).toEqual(["EACCES", "EBUSY", "EPERM"])
      })
    )

    it.scoped("does not claim success when the folder cannot be flushed", () =>
      Effect.gen(function* () {
        const folder = yield* tempFolder
        // open, writeAll, sync, rename; the folder is opened twice (never for writing), then flushed.
        const failure = yield* writeAtomically(`${folder}/a`, "x").pipe(
          Effect.provide(faultyFileSystem({ at: 7, code: "EIO" })),
          Effect.flip
        )
        expect(failure).toMatchObject({ path: folder, operation: "flush", reason: "EIO" })
      })
    )

    it.scoped("removes what a killed process left behind an hour ago, and nothing else", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        const old = ((yield* Clock.currentTimeMillis) - 2 * 3_600_000) / 1000
        const names = {
          stale: ".ctx-1-0123456789abcdef.tmp",
          fresh: ".ctx-2-0123456789abcdef.tmp",
          foreign: ".other.tmp"
        }
        yield* Effect.forEach(Object.values(names), (name) => fs.writeFileString(`${folder}/${name}`, "half"))
        yield* fs.utimes(`${folder}/${names.stale}`, old, old)
        yield* fs.utimes(`${folder}/${names.foreign}`, old, old)
        yield* writeAtomically(`${folder}/page.md`, "x")
        expect((yield* fs.readDirectory(folder)).toSorted()).toEqual([names.fresh, names.foreign, "page.md"].toSorted())
      })
    )

    it.scoped(
      "a process killed at any call leaves the old or the new content, 20 rounds (A36)",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* tempFolder
          const file = `${folder}/page.md`
          const child = yield* bundled("./replace.ts")
          for (let round = 0; round < 20; round++) {
            const [before, after] = round % 2 === 0 ? ["old ", "new "] : ["new ", "old "]
            yield* fs.writeFileString(file, before.repeat(100_000))
            // 1 to 5: open, write, mode, flush, rename; 6: the folder.
            const call = (round % 6) + 1
            yield* Effect.scoped(childAt("stopped", child, file, after, String(call)))
            expect(yield* fs.readFileString(file)).toBe((call < 6 ? before : after).repeat(100_000))
          }
          yield* writeAtomically(file, "still writable")
          expect(yield* fs.readFileString(file)).toBe("still writable")
        }),
      120_000
    )

    it.scoped("names EACCES where the user may not write, and EFBIG where the system allows no more bytes", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* tempFolder
        const child = yield* bundled("./refused.ts")
        const file = `${folder}/page.md`
        yield* fs.writeFileString(file, "old")
        yield* fs.chmod(folder, 0o777)
        expect(yield* runCramped(child, file)).toBe("write EFBIG\n")
        yield* fs.chmod(folder, 0o555)
        expect(yield* runChild(child, file)).toBe("write EACCES\n")
        expect(yield* fs.readFileString(file)).toBe("old")
        expect(yield* fs.readDirectory(folder)).toEqual(["page.md"])
        yield* fs.chmod(folder, 0o755)
      })
    )
  })
})

import { FileSystem } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { sha256 } from "../../model/text/Hash.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { writeAtomically } from "../files/AtomicFile.ts"
import { fileFailure } from "../files/Errno.ts"
import { FileFailure } from "../files/FileFailure.ts"
import { realPathIfThere, statIfThere } from "../files/Files.ts"
import * as PageBatch from "./PageBatch.ts"
import { bytesOf } from "./PageScanDriver.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { identityOf, locate, Place } from "../project/StorePathDriver.ts"

/** A file to be put into a folder; `path` is relative, with forward slashes. */
export interface FileText {
  readonly path: string
  readonly text: string
}

/** What became of the files. */
export interface PutFiles {
  readonly written: ReadonlyArray<string>
  /** There already, with the same bytes. */
  readonly unchanged: ReadonlyArray<string>
  /** Something else stands under the name. It was left as it is. */
  readonly kept: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  /** Files of an earlier time that are still there and are not among these. */
  readonly left: ReadonlyArray<string>
}

/** Beside the files: their hashes, which tell the next time from what somebody else put or changed there. */
const ledgerName = ".ctx-export.json"

const Ledger = Schema.parseJson(
  Schema.Struct({
    version: Schema.Literal(1),
    files: Schema.Record({ key: Schema.String, value: Schema.String })
  })
)

/** The folder where files are to be put: made where there is none, and without symbolic links. */
export const openFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* statIfThere(folder)
  if (Option.isSome(info) && info.value.type !== "Directory") {
    return yield* new FileFailure({ path: folder, operation: "use as a folder", reason: "ENOTDIR" })
  }
  if (Option.isNone(info)) {
    yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), fileFailure(folder, "create"))
  }
  return Option.getOrElse(yield* realPathIfThere(folder), () => folder)
})

/**
 * Puts files into a folder that may hold other people's. A file is written where there is none, and replaced where it is
 * byte for byte what an earlier call wrote; anything else that stands under its name is kept, and nothing is ever removed.
 *
 * @param folder From `openFolder`.
 */
export const putFiles = Effect.fn("putFiles")(function* (folder: string, files: ReadonlyArray<FileText>) {
  const batch = yield* PageBatch.make
  const ledger = readLedger(folder)
  const before = Option.getOrElse(ledger, () => new Map<string, string>())
  const hashes = new Map(before)
  const written: Array<string> = []
  const unchanged: Array<string> = []
  const kept: Array<{ readonly path: string; readonly reason: string }> = []

  const put = Effect.fnUntraced(function* (file: FileText) {
    const hash = sha256(file.text)
    const keep = (reason: string) => Effect.sync(() => void kept.push({ path: file.path, reason }))
    const write = (target: string, mode: number | undefined) =>
      Effect.zipRight(
        batch.write(target, file.text, mode),
        Effect.sync(() => void written.push(file.path))
      )
    const over = (target: string, mode: number) => {
      const there = bytesOf(target)
      if (Either.isLeft(there)) return keep(`cannot be read (${there.left})`)
      const old = sha256(there.right)
      if (old === hash) return Effect.sync(() => void unchanged.push(file.path))
      return old === before.get(file.path)
        ? write(target, mode)
        : keep("another file stands there, or this one was edited")
    }
    yield* Place.$match(locate(folder, file.path), {
      File: ({ path: target, stats }) => over(target, stats.mode & 0o777),
      Absent: ({ hasFolder, path: target }) => {
        if (identityOf(target) !== undefined) return keep("a symbolic link that leads nowhere stands there")
        const made = hasFolder ? Effect.void : ensureFolder(folder, file.path.slice(0, file.path.lastIndexOf("/")))
        return Effect.zipRight(made, write(target, undefined))
      },
      Folder: () => keep("a folder stands there"),
      Outside: ({ target }) => keep(`a symbolic link leads out of the folder, to ${target}`),
      Refused: ({ reason }) => keep(reason)
    })
    if (kept.at(-1)?.path !== file.path) hashes.set(file.path, hash)
  })

  yield* batch.run(Effect.forEach(files, put, { discard: true }))
  const names = new Set(files.map((file) => file.path))
  const left = [...before.keys()].filter((one) => !names.has(one) && locate(folder, one)._tag === "File")
  for (const one of before.keys()) if (!names.has(one) && !left.includes(one)) hashes.delete(one)
  // Last: it vouches for what is on the disk by now.
  if (Option.isSome(ledger)) yield* writeLedger(folder, hashes)
  return { written, unchanged, kept, left: left.toSorted() } satisfies PutFiles
}, Effect.scoped)

/** None where something stands in the ledger's place that is no ledger of ours: it vouches for nothing, and stays. */
const readLedger = (folder: string): Option.Option<ReadonlyMap<string, string>> => {
  const place = locate(folder, ledgerName)
  if (place._tag === "Absent") return identityOf(place.path) === undefined ? Option.some(new Map()) : Option.none()
  if (place._tag !== "File") return Option.none()
  return Either.getRight(bytesOf(place.path)).pipe(
    Option.flatMap(decodeUtf8),
    Option.flatMap(Schema.decodeOption(Ledger)),
    Option.map(({ files }) => new Map(Object.entries(files)))
  )
}

const writeLedger = (folder: string, hashes: ReadonlyMap<string, string>) => {
  const files = Object.fromEntries([...hashes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return writeAtomically(`${folder}/${ledgerName}`, `${JSON.stringify({ version: 1, files }, null, 2)}\n`)
}

import { FileSystem, type Path } from "@effect/platform"
import { Effect, Either, Layer, Option } from "effect"
import { renderIndex, renderTags } from "../../model/page/IndexFiles.ts"
import { MalformedPage, nulReason } from "../../model/page/Page.ts"
import { identityOf, type PagePath, parsePagePath, typeOf } from "../../model/page/PagePath.ts"
import { folderOf } from "../../model/page/PageType.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { writeAtomically } from "../files/AtomicFile.ts"
import * as CatalogCache from "./CatalogCache.ts"
import { errnoOf, fileFailure } from "../files/Errno.ts"
import { FileFailure } from "../files/FileFailure.ts"
import * as PageBatch from "./PageBatch.ts"
import { notUtf8 } from "./PageFile.ts"
import * as PageListing from "./PageListing.ts"
import { namesIn, stampOf } from "./PageScanDriver.ts"
import { PageStore } from "./PageStore.ts"
import { Project } from "../project/Project.ts"
import { ProjectLock } from "../project/ProjectLock.ts"
import { fileAt, readBytes } from "./StoreFile.ts"
import { ensureFolder } from "../project/StoreFolder.ts"
import { nameOnDisk } from "../project/StorePathDriver.ts"

/** Pages as files below `.contexo/`. Source: reference.md 1; public cases A03, A12, A14, A16, A17, A20, A36. */
const make = Effect.gen(function* () {
  const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const fs = yield* FileSystem.FileSystem
  const { contexo } = yield* Project
  const lock = yield* ProjectLock
  const batch = yield* PageBatch.make
  const listing = yield* PageListing.make(contexo, yield* CatalogCache.make)

  // No span for each page: a pull reads and writes ten thousand.
  const read = Effect.fnUntraced(function* (path: PagePath) {
    const bytes = yield* readBytes(contexo, path)
    if (Option.isNone(bytes)) return Option.none<string>()
    const text = decodeUtf8(bytes.value)
    if (Option.isNone(text)) return yield* new MalformedPage({ path, reason: notUtf8 })
    return text.value.includes("\0") ? yield* new MalformedPage({ path, reason: nulReason }) : text
  })

  const write = Effect.fnUntraced(function* (path: PagePath, text: string) {
    const { hasFolder, path: target, stats } = yield* fileAt(contexo, path)
    if (!hasFolder) yield* Effect.provide(ensureFolder(contexo, folderOf[typeOf(path)]), platform)
    yield* batch.write(target, text, stats === undefined ? undefined : stats.mode & 0o777)
  })

  const remove = Effect.fnUntraced(function* (path: PagePath) {
    yield* fileAt(contexo, path)
    // The name itself, where it is a symbolic link.
    const file = `${contexo}/${path}`
    const removed = yield* fs.remove(file).pipe(
      Effect.as(true),
      Effect.catchIf(
        (error) => errnoOf(error) === "ENOENT",
        () => Effect.succeed(false)
      ),
      Effect.mapError(fileFailure(file, "remove"))
    )
    if (removed) yield* batch.changed(`${contexo}/${folderOf[typeOf(path)]}`)
  })

  const find = Effect.fn("PageStore.find")(function* (path: PagePath) {
    const { path: file, stats } = yield* fileAt(contexo, path)
    const folder = folderOf[typeOf(path)]
    const samePage = (names: ReadonlyArray<string>) =>
      names
        .filter((name) => `${folder}/${name}`.toLowerCase() === identityOf(path))
        .toSorted()
        .flatMap((name) => Option.toArray(parsePagePath(`${folder}/${name}`)))
    // A link leads to another name; then it is the link that is the page.
    if (stats !== undefined) return Option.some(samePage([nameOnDisk(file)])[0] ?? path)
    const names = yield* namesOf(`${contexo}/${folder}`)
    return Option.fromNullable(samePage(names)[0])
  })

  const spelledSo = (identities: ReadonlySet<string>) =>
    Effect.sync(() => new Set([...identities].filter((one) => stampOf(`${contexo}/${one}`) !== undefined)))

  const inAnyCase = (identities: ReadonlySet<string>) =>
    Effect.map(
      Effect.forEach(Object.values(folderOf), (folder) => {
        const wanted = new Set(
          [...identities].filter((one) => one.startsWith(`${folder}/`)).map((one) => one.slice(folder.length + 1))
        )
        if (wanted.size === 0) return Effect.succeed([])
        return Effect.map(namesOf(`${contexo}/${folder}`), (names) =>
          names.flatMap((name) => (wanted.has(name.toLowerCase()) ? [`${folder}/${name.toLowerCase()}`] : []))
        )
      }),
      (folders) => new Set(folders.flat())
    )

  const replace = Effect.fnUntraced(function* (name: string, text: string) {
    const { path } = yield* fileAt(contexo, name)
    const bytes = new TextEncoder().encode(text)
    const before = yield* readBytes(contexo, name)
    if (!Option.exists(before, (known) => Buffer.compare(bytes, known) === 0)) yield* writeAtomically(path, bytes)
  })
  const regenerateIndexes = Effect.gen(function* () {
    const { catalog, unserved } = yield* listing.quick
    const entries = [...catalog.entries.values()]
    yield* replace("index.md", renderIndex(entries, unserved))
    yield* replace("tags.md", renderTags(entries))
  }).pipe(lock.run, Effect.provide(platform), Effect.withSpan("PageStore.regenerateIndexes"))

  return PageStore.of({
    read,
    write: (path, text) => listing.touching(path, write(path, text)),
    remove: (path) => listing.touching(path, remove(path)),
    batch: batch.run,
    find,
    existing: (identities, which) => (which === "spelled-so" ? spelledSo(identities) : inAnyCase(identities)),
    catalog: Effect.map(listing.full, ({ catalog }) => catalog),
    regenerateIndexes
  })
})

/** Needs the project lock for the indexes. */
export const layer: Layer.Layer<PageStore, never, FileSystem.FileSystem | Path.Path | Project | ProjectLock> =
  Layer.scoped(PageStore, make)

const namesOf = (folder: string): Effect.Effect<ReadonlyArray<string>, FileFailure> => {
  const names = namesIn(folder)
  if (Either.isRight(names)) return Effect.succeed(names.right)
  if (names.left === "ENOENT") return Effect.succeed([])
  return new FileFailure({ path: folder, operation: "list", reason: names.left })
}

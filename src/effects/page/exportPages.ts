import { FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import type { PageText } from "../../model/archive/Archive.ts"
import { resolveAmong, sharedSlugs, withMarkdownLinks, withVaultLinks } from "../../model/archive/links.ts"
import { renderArchive } from "../../model/archive/renderArchive.ts"
import { folderOf, type PageType } from "../../model/page/PageType.ts"
import { writeAtomically } from "../../services/files/AtomicFile.ts"
import { fileFailure } from "../../services/files/Errno.ts"
import { FileFailure } from "../../services/files/FileFailure.ts"
import { realPathIfThere, statIfThere } from "../../services/files/Files.ts"
import { openFolder, putFiles, type PutFiles } from "../../services/page/ForeignFolder.ts"
import { PageStore, type Problem } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"

/** Which pages. Without either, all of them. */
export interface ExportFilter {
  readonly type?: PageType | undefined
  readonly tag?: string | undefined
}

/** What was gathered, and what is no page and so stayed behind. */
interface Gathered {
  readonly pages: ReadonlyArray<PageText>
  readonly leftOut: ReadonlyArray<Problem>
}

export interface Exported extends PutFiles {
  readonly leftOut: ReadonlyArray<Problem>
}

/** The place to export to is the place that is exported. Nothing was written. */
export class ExportIntoStore extends Schema.TaggedError<ExportIntoStore>()("ExportIntoStore", { path: Schema.String }) {
  override get message() {
    return `${this.path} lies in .contexo/, where the pages themselves are. Nothing was written; name another place with --out.`
  }
}

/**
 * Writes pages into a folder, each at its own path below it: as plain Markdown, whose links are links between the files, or
 * as notes of an Obsidian vault, whose links are wikilinks.
 *
 * When to use: for readers. What is to come back goes into an archive (`exportArchive`), which keeps every byte.
 *
 * Gotchas: nothing that somebody else put or changed there is overwritten, and nothing is removed (`putFiles`).
 *
 * @param folder Absolute; made where there is none.
 *
 * @example
 * const { kept, written } = yield* exportPages("obsidian", "/home/ada/vault", { tag: "billing" })
 */
export const exportPages = Effect.fn("exportPages")(function* (
  format: "markdown" | "obsidian",
  folder: string,
  filter: ExportFilter
) {
  yield* refuseStore(folder)
  const { leftOut, pages } = yield* gather(filter)
  if (pages.length === 0) return { written: [], unchanged: [], kept: [], left: [], leftOut } satisfies Exported
  const paths = pages.map(({ path }) => path)
  const [resolve, shared] = [resolveAmong(paths), sharedSlugs(paths)]
  const files = pages.map(({ path, text }) => ({
    path,
    text: format === "obsidian" ? withVaultLinks(text, shared, resolve) : withMarkdownLinks(path, text, resolve)
  }))
  const put = yield* putFiles(yield* openFolder(folder), files)
  const filtered = filter.type !== undefined || filter.tag !== undefined
  return { ...put, left: filtered ? [] : put.left, leftOut } satisfies Exported
})

/** Pages as one archive, byte for byte: what `importPages` takes. */
export const archivePages = Effect.fn("archivePages")(function* (filter: ExportFilter) {
  const { leftOut, pages } = yield* gather(filter)
  return { text: renderArchive(pages), paths: pages.map(({ path }) => path), leftOut }
})

/**
 * Writes an archive to a file. A file that stands there is replaced by nothing but itself: with other bytes it is kept.
 *
 * @param file Absolute.
 */
export const exportArchive = Effect.fn("exportArchive")(function* (file: string, filter: ExportFilter) {
  yield* refuseStore(file)
  const fs = yield* FileSystem.FileSystem
  const { leftOut, paths, text } = yield* archivePages(filter)
  const info = yield* statIfThere(file)
  if (Option.isNone(info)) {
    const above = (yield* Path.Path).dirname(file)
    yield* Effect.mapError(fs.makeDirectory(above, { recursive: true }), fileFailure(above, "create"))
    yield* writeAtomically(file, text)
    return { written: paths, unchanged: [], kept: [], left: [], leftOut } satisfies Exported
  }
  if (info.value.type === "Directory")
    return yield* new FileFailure({ path: file, operation: "write", reason: "EISDIR" })
  const before = yield* Effect.mapError(fs.readFile(file), fileFailure(file, "read"))
  if (Buffer.compare(before, new TextEncoder().encode(text)) === 0) {
    return { written: [], unchanged: paths, kept: [], left: [], leftOut } satisfies Exported
  }
  const kept = [{ path: file, reason: "another file stands there: name another one, or remove it" }]
  return { written: [], unchanged: [], kept, left: [], leftOut } satisfies Exported
})

/** The exact text of every page that matches. */
const gather = Effect.fnUntraced(function* ({ tag, type }: ExportFilter) {
  const store = yield* PageStore
  const { entries, problems } = yield* store.catalog
  const matching = [...entries.values()].filter(
    ({ page }) => (type === undefined || page.type === type) && (tag === undefined || page.tags.includes(tag))
  )
  const pages: Array<PageText> = []
  for (const { page } of matching) {
    const text = yield* store.read(page.path)
    // Removed since the listing.
    if (Option.isSome(text)) pages.push({ path: page.path, text: text.value })
  }
  const leftOut = problems.filter(({ path }) => type === undefined || path.startsWith(`${folderOf[type]}/`))
  return { pages, leftOut } satisfies Gathered
})

const refuseStore = Effect.fnUntraced(function* (target: string) {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const store = Option.getOrElse(yield* realPathIfThere(contexo), () => contexo)
  // Where it does not exist yet, it will lie where the nearest folder above it does.
  for (let place = path.resolve(target); ; place = path.dirname(place)) {
    const real = yield* realPathIfThere(place)
    if (Option.isNone(real) && place !== path.dirname(place)) continue
    const there = Option.getOrElse(real, () => place)
    if (there === store || there.startsWith(store + path.sep)) return yield* new ExportIntoStore({ path: target })
    return
  }
})

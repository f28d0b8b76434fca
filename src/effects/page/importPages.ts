import { Effect, Either, Option, Schema } from "effect"
import type { PageText } from "../../model/archive/Archive.ts"
import { readArchive } from "../../model/archive/readArchive.ts"
import { identityOf, type PagePath, slugOf } from "../../model/page/PagePath.ts"
import { isPortable, unportableSlug } from "../../model/page/Slug.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { loadSecrets } from "../../services/secrets/SecretScanDriver.ts"

export interface ImportOptions {
  /** Say what would happen, and write nothing. */
  readonly dryRun?: boolean | undefined
  /** Replace pages that differ. */
  readonly overwrite?: boolean | undefined
}

/** What an import came to, by the page. */
export interface Imported {
  readonly created: ReadonlyArray<PagePath>
  readonly overwritten: ReadonlyArray<PagePath>
  /** Here already, byte for byte. */
  readonly unchanged: ReadonlyArray<PagePath>
  /** Left as they are here. */
  readonly conflicts: ReadonlyArray<{ readonly path: PagePath; readonly reason: string }>
  /** What looks like a secret in what was written: a push will refuse it. */
  readonly secrets: ReadonlyArray<{ readonly path: PagePath; readonly line: number; readonly rule: string }>
}

/** The file is no archive of ours, or was damaged or tampered with. Nothing was imported. */
export class InvalidArchive extends Schema.TaggedError<InvalidArchive>()("InvalidArchive", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.reason}. Nothing was imported.`
  }
}

/** The disk refused midway. */
export class ImportCutShort extends Schema.TaggedError<ImportCutShort>()("ImportCutShort", {
  reason: Schema.String,
  written: Schema.Number,
  total: Schema.Number
}) {
  override get message() {
    return `${this.reason} ${this.written} of ${this.total} page(s) had been written: import again, and they count as here already.`
  }
}

/**
 * Writes the pages of an archive, byte for byte. The archive is checked whole before the first byte is written; a page that
 * is here and differs is kept and named, unless it is to be overwritten.
 *
 * Gotchas: nothing outside the four page folders is written; what came in is local until it is pushed.
 *
 * @param file What the archive is called in messages.
 *
 * @example
 * const { conflicts } = yield* importPages("team.jsonl", bytes, { dryRun: true })
 */
export const importPages = Effect.fn("importPages")(function* (
  file: string,
  bytes: Uint8Array,
  options: ImportOptions = {}
) {
  const pages = yield* Either.mapLeft(readArchive(bytes), (reason) => new InvalidArchive({ file, reason }))
  const lock = yield* ProjectLock
  const done = yield* lock.run(
    Effect.gen(function* () {
      const plan = yield* planImport(pages, options.overwrite === true)
      if (options.dryRun !== true) yield* writePages(plan)
      return plan
    })
  )
  const { conflicts, created, overwritten, unchanged } = done
  const secrets = yield* secretsIn([...created, ...overwritten])
  const paths = (some: ReadonlyArray<PageText>) => some.map(({ path }) => path)
  return { created: paths(created), overwritten: paths(overwritten), unchanged, conflicts, secrets } satisfies Imported
})

interface Plan {
  readonly created: ReadonlyArray<PageText>
  readonly overwritten: ReadonlyArray<PageText>
  readonly unchanged: ReadonlyArray<PagePath>
  readonly conflicts: Imported["conflicts"]
}

/** What becomes of each page, as things stand under the lock. */
const planImport = Effect.fnUntraced(function* (pages: ReadonlyArray<PageText>, overwrite: boolean) {
  const store = yield* PageStore
  const { entries, problems } = yield* store.catalog
  const spelled = new Map(
    [...entries.keys(), ...problems.map(({ path }) => path)].map((one) => [one.toLowerCase(), one])
  )
  const created: Array<PageText> = []
  const overwritten: Array<PageText> = []
  const unchanged: Array<PagePath> = []
  const conflicts: Array<Imported["conflicts"][number]> = []
  for (const page of pages) {
    const { path, text } = page
    const keep = (reason: string) => conflicts.push({ path, reason })
    const there = spelled.get(identityOf(path))
    if (there !== undefined && there !== path) {
      keep(`differs only by case from ${there} here: rename that one first`)
      continue
    }
    const local = yield* Effect.either(store.read(path))
    if (Either.isLeft(local) && local.left._tag !== "MalformedPage") keep(local.left.message)
    else if (Either.isRight(local) && Option.isNone(local.right)) {
      if (isPortable(slugOf(path))) created.push(page)
      else keep(unportableSlug(slugOf(path)))
    } else if (Either.isRight(local) && Option.contains(local.right, text)) unchanged.push(path)
    else if (overwrite) overwritten.push(page)
    else keep("differs from the page here; --overwrite replaces it")
  }
  return { created, overwritten, unchanged, conflicts } satisfies Plan
})

/** All pages reach the disk together. */
const writePages = Effect.fnUntraced(function* ({ created, overwritten }: Plan) {
  const store = yield* PageStore
  const pages = [...created, ...overwritten]
  if (pages.length === 0) return
  let written = 0
  const write = ({ path, text }: PageText) =>
    Effect.zipRight(
      store.write(path, text),
      Effect.sync(() => written++)
    )
  const cutShort = (failure: { readonly message: string }) =>
    new ImportCutShort({ reason: failure.message, written, total: pages.length })
  yield* store.batch(Effect.forEach(pages, write, { discard: true })).pipe(
    Effect.mapError(cutShort),
    // Also of what was written before the disk refused.
    Effect.tapError(() => Effect.ignoreLogged(store.regenerateIndexes))
  )
  yield* store.regenerateIndexes
})

const secretsIn = Effect.fnUntraced(function* (pages: ReadonlyArray<PageText>) {
  if (pages.length === 0) return []
  const { findSecrets } = yield* loadSecrets
  return pages.flatMap(({ path, text }) => findSecrets(text).map(({ line, rule }) => ({ path, line, rule })))
})

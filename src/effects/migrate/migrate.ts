import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { MigrateCatalog } from "../../directives/MigrateCatalog.ts"
import { MigrateResume } from "../../directives/MigrateResume.ts"
import type { MigrateItem } from "../../model/page/Catalog.ts"
import type { Manifest, ManifestItem } from "../../model/sync/Manifest.ts"
import { parseSelection } from "../../model/migrate/Selection.ts"
import { isGitUrl } from "../../model/migrate/GitUrl.ts"
import { cloneSource } from "../../services/migrate/Clone.ts"
import { Project } from "../../services/project/Project.ts"
import { folderSource, shownSource } from "../../services/migrate/Source.ts"
import { Staging } from "../../services/migrate/Staging.ts"
import { type Discovery, discover } from "./discover.ts"

/** Nothing in the source looks like knowledge. */
export class NothingFound extends Schema.TaggedClass<NothingFound>()("NothingFound", {
  source: Schema.String,
  skipped: Schema.Int
}) {}

/** What was staged is done with, or nothing was. */
export class MigrateDone extends Schema.TaggedClass<MigrateDone>()("MigrateDone", {
  /** How many items were staged. */
  items: Schema.Option(Schema.Int),
  /** How many clones were deleted. */
  clones: Schema.Int
}) {}

/** The picked numbers are not on the list. */
export class InvalidSelection extends Schema.TaggedError<InvalidSelection>()("InvalidSelection", {
  selection: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.reason}. 'ctx migrate --list' shows the list.`
  }
}

export interface MigrateOptions {
  /** A folder, absolute or from the project's root, or the URL of a repository. Default: the project. */
  readonly path?: string | undefined
  /** A repository, in place of `path`. */
  readonly url?: string | undefined
}

/**
 * What an agent is to do about existing knowledge: where a person picked items in a terminal, import those
 * (`MigrateResume`); else what there is to choose from (`MigrateCatalog`), and nothing is staged.
 *
 * @example const answer = yield* migrate({ path: "../handbook" })
 *
 * Source: agent-directives.md, MIGRATE_CATALOG and MIGRATE_RESUME; reference.md section 9.
 */
export const migrate = Effect.fn("migrate")(function* (options: MigrateOptions) {
  const staging = yield* Staging
  const staged = Option.filter(yield* staging.staged, ({ kind }) => kind === "migrate")
  if (Option.isSome(staged)) return resumeOf(staged.value)
  const found = yield* Effect.scoped(discoverIn(options.url ?? options.path, options.url !== undefined))
  const source = found.source.root
  if (found.items.length === 0)
    return new NothingFound({ source: shownSource(found.source), skipped: found.skipped.length })
  return new MigrateCatalog({ source, date: yield* today, items: found.items, more: found.more })
})

/**
 * Looks into a folder, into a clone of a repository, or into the project itself. A clone is kept from others until the
 * scope ends.
 */
export const discoverIn = Effect.fn("discoverIn")(function* (
  named: string | undefined,
  isUrl = named !== undefined && isGitUrl(named)
) {
  const { contexo, root } = yield* Project
  yield* (yield* Staging).sweepClones
  const source = named !== undefined && isUrl ? cloneSource(contexo, named) : folderSource(root, named ?? root)
  return yield* discover(yield* source)
})

/**
 * Stages the items with the picked numbers, for an agent to import. Refuses where something is staged already: nobody's
 * picks are lost.
 *
 * @param selection `1,2,5-7`, or `all`.
 */
export const stageMigration = Effect.fn("stageMigration")(function* (found: Discovery, selection: string) {
  const numbers = yield* Effect.mapError(
    parseSelection(
      selection,
      found.items.map(({ n }) => n)
    ),
    (reason) => new InvalidSelection({ selection, reason })
  )
  const picked = new Set(numbers)
  const { clone, root, url } = found.source
  const manifest: Manifest = {
    version: 1,
    kind: "migrate",
    source: root,
    created: yield* today,
    items: found.items.filter(({ n }) => picked.has(n)).map((item) => toFile(item, url)),
    clones: Option.toArray(clone)
  }
  yield* (yield* Staging).stage(manifest)
  return manifest
})

/** Drops what was staged, and every clone that nothing refers to any more. Says so where there was nothing. */
export const finishMigration = Effect.fn("finishMigration")(function* () {
  const staging = yield* Staging
  const before = yield* staging.finish("migrate")
  const clones = yield* staging.sweepClones
  return new MigrateDone({ items: Option.map(before, ({ items }) => items.length), clones })
})

const today = Effect.map(Clock.currentTimeMillis, (now) => DateTime.formatIsoDateUtc(DateTime.unsafeMake(now)))

const toFile = ({ absPath, ...item }: MigrateItem, url: Option.Option<string>): ManifestItem => ({
  ...item,
  abs_path: absPath,
  ...Option.match(url, { onNone: () => ({}), onSome: (origin) => ({ origin_url: origin }) })
})

const resumeOf = ({ created, items, source }: Manifest): MigrateResume =>
  new MigrateResume({
    source,
    date: created,
    items: items.map(({ abs_path, group = "docs", n, path, summary, tokens, type }) => ({
      n,
      type,
      path,
      tokens,
      summary,
      group,
      absPath: abs_path
    }))
  })

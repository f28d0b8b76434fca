import { Clock, Effect, Option } from "effect"
import { splitPage } from "../../model/frontmatter/Frontmatter.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { SectionChange, SectionDiff } from "../../model/merge/SectionDiff.ts"
import { parseSections } from "../../model/markdown/Sections.ts"
import { breathe } from "../../services/files/BreatheDriver.ts"
import { ServerStore } from "../../services/server/ServerStore.ts"
import type { CommitInfo, RepoId } from "../../services/sync/SyncApi.ts"
import { textOf } from "./pages.ts"

/** How many of a page's newest versions are looked at, and for how long, in milliseconds. */
const maxRevisions = 1_000
const patience = 6_000

/**
 * By heading: the first commit whose version of the page has it. One version is in memory at a time. Sections that came
 * after where patience ended have none.
 */
export const introductions = Effect.fn("server.introductions")(function* (repo: RepoId, path: PagePath) {
  const store = yield* ServerStore
  const revisions = yield* store.revisions(repo, path, Option.none(), maxRevisions)
  const found = new Map<string, CommitInfo>()
  const until = (yield* Clock.currentTimeMillis) + patience
  for (const { deleted, purged, seq, ...commit } of revisions.toReversed()) {
    if (deleted || purged) continue
    if ((yield* Clock.currentTimeMillis) > until) break
    yield* breathe
    const content = yield* store.contentAt(repo, path, seq)
    if (Option.isNone(content)) continue
    const { sections } = parseSections(splitPage(yield* textOf(content.value)).body)
    for (const { heading } of sections) if (!found.has(heading)) found.set(heading, commit)
  }
  return found
})

/** A diff whose sections say which commit introduced them; a renamed one goes by its old heading. */
export const blamed = (diff: SectionDiff, found: ReadonlyMap<string, CommitInfo>): SectionDiff => ({
  ...diff,
  sections: diff.sections?.map((section) => blamedSection(section, found)) ?? null
})

const blamedSection = (section: SectionChange, found: ReadonlyMap<string, CommitInfo>): SectionChange => {
  const commit = found.get(section.old_heading ?? section.heading) ?? found.get(section.heading)
  return commit === undefined ? section : { ...section, introduced_by: commit }
}

import { Data, Option } from "effect"
import { mergePages } from "../merge/Merge.ts"
import type { Sha } from "../page/Sha.ts"
import { removeUnsafeKeepingBom } from "../text/Sanitise.ts"

/**
 * What a pull decides for one page: a pure function over (base, local, remote), which I/O only carries out.
 *
 * Invariants (each has a property test):
 * 1. Bytes on disk that differ from the base are never replaced or removed, but by a merge that contains them.
 * 2. Equal texts never conflict, whatever the shas say.
 * 3. Where only one side changed, that side stands.
 * 4. Without a base of the recorded sha nothing is replaced: equal is adopted, different is kept.
 * 5. Nothing is removed but on a tombstone, and then only unchanged bytes.
 * 6. Deciding again on the outcome decides nothing new.
 */
export interface PageSides {
  /** The content last known equal to the server's; None: unknown, or never synced. */
  readonly base: Option.Option<string>
  /** Whether a sha is recorded for the page (it was pushed or pulled before). */
  readonly recorded: boolean
  /** The true ancestor, where a rejected push awaits its merge: the base was moved on already. */
  readonly awaiting: Option.Option<{ readonly ancestor: Option.Option<string> }>
  readonly local: Option.Option<string>
  readonly remote: Remote
  /** The server no longer knows what this clone last saw (restored from a backup): its text is no successor of ours. */
  readonly historyReplaced: boolean
  /** `pull --full`: files that are gone here come back. */
  readonly restore: boolean
}

/** The server's side. `Deleted` is a tombstone; `Absent` is a page that the server does not have and never buried. */
export type Remote = Data.TaggedEnum<{
  Present: { readonly sha: Sha; readonly text: string }
  Deleted: {}
  Absent: {}
}>
export const Remote = Data.taggedEnum<Remote>()

export type KeepReason = Data.TaggedEnum<{
  /** Both sides changed the same regions. */
  BothChanged: { readonly regions: ReadonlyArray<string> }
  /** Both sides created the page with different texts. */
  BothCreated: { readonly regions: ReadonlyArray<string> }
  /** No base of the recorded sha, and the texts differ. */
  UnknownBase: {}
  /** The file is gone here, and a base says that it was there. */
  GoneHere: {}
  /** Deleted on the server, edited here. */
  DeletedThere: {}
  /** The server has an older history: a push brings this copy back. */
  HistoryReplaced: {}
}>
export const KeepReason = Data.taggedEnum<KeepReason>()

export type PullStep = Data.TaggedEnum<{
  /** Nothing to write and nothing to record. */
  Nothing: {}
  /** Write the server's text; it becomes the base. */
  Take: { readonly sha: Sha; readonly text: string }
  /** Local and server agree: record sha and base, settle a mark. */
  Adopt: { readonly sha: Sha; readonly text: string }
  /** Write the merge; the server's text becomes the base. */
  Merge: { readonly sha: Sha; readonly text: string; readonly base: string }
  /** Keep the local bytes, silently: only they changed. The server's text becomes the base. */
  LocalEdit: { readonly sha: Sha; readonly base: string }
  /** Keep the local bytes (or their absence), name the page, leave the record. */
  Keep: { readonly reason: KeepReason }
  /** Keep the local bytes, name the page, and take the server's text as the base, so that a push brings the local one back. */
  Rebase: { readonly sha: Sha; readonly base: string }
  /** Keep the local bytes, name the page, and forget the record, so that a push creates the page again. */
  Forget: { readonly named: boolean }
  /** Remove the unchanged local file: the server deleted the page. */
  Delete: {}
}>
export const PullStep = Data.taggedEnum<PullStep>()

const clean = removeUnsafeKeepingBom

/** Decides what a pull does with one page. The server's text is sanitised before anything is compared or written. */
export const planPull = (sides: PageSides): PullStep =>
  Remote.$match(sides.remote, {
    Present: ({ sha, text }) => withServerText(sides, sha, clean(text)),
    Deleted: () => withTombstone(sides),
    Absent: () => withoutServerPage(sides)
  })

const withServerText = (sides: PageSides, sha: Sha, remote: string): PullStep => {
  if (Option.isNone(sides.local)) {
    return sides.recorded && !sides.restore
      ? PullStep.Keep({ reason: KeepReason.GoneHere() })
      : PullStep.Take({ sha, text: remote })
  }
  const local = sides.local.value
  if (clean(local) === remote) return PullStep.Adopt({ sha, text: local })
  if (sides.historyReplaced && sides.recorded) return PullStep.Rebase({ sha, base: remote })

  const ancestor = Option.match(sides.awaiting, { onNone: () => sides.base, onSome: (mark) => mark.ancestor })
  if (Option.isNone(ancestor)) {
    const bothCreated = Option.isSome(sides.awaiting) || !sides.recorded
    if (!bothCreated) return PullStep.Keep({ reason: KeepReason.UnknownBase() })
    const merged = mergePages(Option.none(), clean(local), remote)
    return merged._tag === "Clean"
      ? PullStep.Merge({ sha, text: merged.text, base: remote })
      : PullStep.Keep({ reason: KeepReason.BothCreated({ regions: merged.regions }) })
  }
  const base = clean(ancestor.value)
  if (local === ancestor.value) return PullStep.Take({ sha, text: remote })
  if (remote === base) return PullStep.LocalEdit({ sha, base: remote })
  const merged = mergePages(Option.some(base), clean(local), remote)
  return merged._tag === "Clean"
    ? PullStep.Merge({ sha, text: merged.text, base: remote })
    : PullStep.Keep({ reason: KeepReason.BothChanged({ regions: merged.regions }) })
}

const withTombstone = (sides: PageSides): PullStep => {
  if (Option.isNone(sides.local)) return sides.recorded ? PullStep.Forget({ named: false }) : PullStep.Nothing()
  if (!sides.recorded && Option.isNone(sides.awaiting)) return PullStep.Nothing()
  const unchanged = Option.isNone(sides.awaiting) && Option.isSome(sides.base) && sides.base.value === sides.local.value
  return unchanged ? PullStep.Delete() : PullStep.Keep({ reason: KeepReason.DeletedThere() })
}

const withoutServerPage = (sides: PageSides): PullStep => {
  if (!sides.recorded) return PullStep.Nothing()
  return PullStep.Forget({ named: Option.isSome(sides.local) })
}

import { Data, Option } from "effect"
import type { PagePath } from "../page/PagePath.ts"
import type { Sha } from "../page/Sha.ts"

/** What the server holds under a page's identity. */
export interface HeldPage {
  /** The name in force; a twin of it differs by case only. */
  readonly path: PagePath
  /** The commit that last touched the page, a deletion included. */
  readonly sha: Sha
  /** SHA-256 of the content, hex; None: the page was deleted. */
  readonly hash: Option.Option<string>
}

/** What a push says about one page. */
export interface OfferedPage {
  readonly path: PagePath
  /** None: the page is to be deleted. */
  readonly hash: Option.Option<string>
  /** The commit that the sender edited from; None: the server must not have the page. */
  readonly parent: Option.Option<Sha>
}

export type Landing = Data.TaggedEnum<{
  /** The server holds exactly this already; the sha is the one that it has, None where it never had the page. */
  Unchanged: { readonly sha: Option.Option<Sha> }
  Lands: {}
  Conflicts: {}
}>
export const Landing = Data.taggedEnum<Landing>()

/**
 * Compare-and-swap for one page. In this order:
 *
 * 1. What differs from a page that lives only in the case of its name conflicts, whatever its content and parent.
 * 2. What is already so stays so, whatever the parent: equal content, or a deletion of what is not there.
 * 3. Where the page does not live, no parent lands, and so does the parent that is its deletion.
 * 4. Where it lives, only its own sha as the parent lands.
 */
export const landing = (held: Option.Option<HeldPage>, offered: OfferedPage): Landing => {
  if (Option.isNone(held)) {
    if (Option.isNone(offered.hash)) return Landing.Unchanged({ sha: Option.none() })
    return Option.isNone(offered.parent) ? Landing.Lands() : Landing.Conflicts()
  }
  const { hash, path, sha } = held.value
  const isParent = Option.contains(offered.parent, sha)
  if (Option.isNone(hash)) {
    if (Option.isNone(offered.hash)) return Landing.Unchanged({ sha: Option.some(sha) })
    return Option.isNone(offered.parent) || isParent ? Landing.Lands() : Landing.Conflicts()
  }
  if (path !== offered.path) return Landing.Conflicts()
  if (Option.contains(offered.hash, hash.value)) return Landing.Unchanged({ sha: Option.some(sha) })
  return isParent ? Landing.Lands() : Landing.Conflicts()
}

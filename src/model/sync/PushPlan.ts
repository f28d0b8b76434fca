import { Data, Option } from "effect"
import type { Sha } from "../page/Sha.ts"

/** What a push knows of one page that matches its filters. Hashes are SHA-256, hex. */
export interface PushSides {
  readonly hash: string
  readonly recorded: Option.Option<Sha>
  readonly base: Option.Option<{ readonly sha: Sha; readonly hash: string }>
}

export type PushStep = Data.TaggedEnum<{
  /** The bytes are the base of the recorded sha: they are on the server. */
  Same: {}
  /** Send the page. No parent says that the server must not have it. */
  Send: { readonly parent: Option.Option<Sha> }
}>
export const PushStep = Data.taggedEnum<PushStep>()

/**
 * Whether a page travels (rule 4: only what changed does). A base counts only where its sha is the recorded one; without
 * one the page is sent under its recorded sha, and the server, which never conflicts on identical content, decides.
 */
export const planPush = (sides: PushSides): PushStep => {
  const known = Option.filter(sides.base, (base) => Option.contains(sides.recorded, base.sha))
  return Option.isSome(known) && known.value.hash === sides.hash
    ? PushStep.Same()
    : PushStep.Send({ parent: sides.recorded })
}

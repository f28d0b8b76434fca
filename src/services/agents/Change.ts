import { Option, Schema } from "effect"

/** What an edit made of a file: `present` changed nothing, `replaced` took the place of an older entry of ours. */
export type Change = "created" | "added" | "replaced" | "present"

/** A file's text after an edit. */
export interface Edited {
  readonly after: string
  readonly change: Change
}

/** What undoes an addition exactly, whatever else has changed in the file since. */
export const Undo = Schema.Struct({
  /** The file is ours. */
  created: Schema.Boolean,
  /** So is the folder around it. */
  madeFolder: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** The text that came in, and the text that it took the place of. */
  inserted: Schema.String,
  removed: Schema.String
})
export type Undo = typeof Undo.Type

/** How to undo the step from one text to another. */
export const undoOf = (before: Option.Option<string>, after: string, madeFolder = false): Undo => {
  const from = Option.getOrElse(before, () => "")
  const shorter = Math.min(from.length, after.length)
  let head = 0
  while (head < shorter && from[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && from.at(-1 - tail) === after.at(-1 - tail)) tail++
  return {
    created: Option.isNone(before),
    madeFolder,
    inserted: after.slice(head, after.length - tail),
    removed: from.slice(head, from.length - tail)
  }
}

/** The text before the step, where what came in is still there, once; an inner None is a file that was not there. */
export const undone = (text: string, { created, inserted, removed }: Undo): Option.Option<Option.Option<string>> => {
  if (created && text === inserted) return Option.some(Option.none())
  const at = text.indexOf(inserted)
  if (created || inserted === "" || at < 0 || at !== text.lastIndexOf(inserted)) return Option.none()
  return Option.some(Option.some(text.slice(0, at) + removed + text.slice(at + inserted.length)))
}

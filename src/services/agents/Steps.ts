import { Either, Option, Schema } from "effect"
import { Undo, undone, undoOf } from "./Change.ts"
import { type Edit, saysTheSame } from "./Edit.ts"

/** One addition of ours to a file, and what undoes it. */
export const Step = Schema.Struct({
  file: Schema.String,
  /** What was added. */
  part: Schema.String,
  ...Undo.fields
})
export type Step = typeof Step.Type

/** A file without a part of ours. */
export interface Without {
  /** None: nothing is left, and the file can go. */
  readonly text: Option.Option<string>
  /** Whether the part was there. */
  readonly found: boolean
  /** The steps that are left, as they are to be undone from now on. */
  readonly rest: ReadonlyArray<Step>
}

/**
 * Takes a part out of a text. The steps are unwound down to the part's, and those above it made again, so that the text is
 * as if the part had never been there, whatever the order. Where somebody changed what a step added, the part is taken out
 * by what it says.
 *
 * @param steps The file's steps in the order in which they were made.
 * @returns Left: why the text cannot be edited.
 */
export const withoutStep = (
  text: string,
  steps: ReadonlyArray<Step>,
  part: string,
  edits: ReadonlyMap<string, Edit>
): Either.Either<Without, string> =>
  Either.gen(function* () {
    const rest = steps.filter((step) => step.part !== part)
    const edit = edits.get(part)
    if (edit === undefined || (yield* edit.find(text)) === "absent")
      return { text: Option.some(text), found: false, rest }
    const plain = yield* edit.unwire(text)
    const exact = Option.filter(exactly(text, steps, part, edits), (found) => saysTheSame(edit, found.text, plain))
    return Option.getOrElse(exact, (): Without => ({ text: plain, found: true, rest }))
  })

const exactly = (
  text: string,
  steps: ReadonlyArray<Step>,
  part: string,
  edits: ReadonlyMap<string, Edit>
): Option.Option<Without> =>
  Option.gen(function* () {
    const index = steps.findIndex((step) => step.part === part)
    if (index < 0) return yield* Option.none()
    let now = Option.some(text)
    for (const step of steps.slice(index).toReversed()) {
      now = yield* undone(yield* now, step)
    }
    const rest = steps.slice(0, index)
    let madeFolder = steps[index]?.madeFolder === true
    for (const step of steps.slice(index + 1)) {
      const edit = yield* Option.fromNullable(edits.get(step.part))
      const { after, change } = yield* Either.getRight(edit.wire(now))
      if (change !== "added" && change !== "created") return yield* Option.none()
      const undo = undoOf(now, after, step.madeFolder || madeFolder)
      rest.push({ file: step.file, part: step.part, ...undo })
      madeFolder = false
      now = Option.some(after)
    }
    return { text: now, found: true, rest }
  })

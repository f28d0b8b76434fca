import { Either, Option } from "effect"
import type { Undo } from "../../src/services/agents/Change.ts"
import type { Edit } from "../../src/services/agents/Edit.ts"
import { withoutStep } from "../../src/services/agents/Steps.ts"

/** Takes out what an edit put in, with what its wiring made known, where something did. */
export const takeOut = (
  edit: Edit,
  text: string,
  undo: Option.Option<Undo>
): Either.Either<Option.Option<string>, string> => {
  const steps = Option.toArray(undo).map((known) => ({ ...known, file: "file", part: "part" }))
  return Either.map(withoutStep(text, steps, "part", new Map([["part", edit]])), (without) => without.text)
}

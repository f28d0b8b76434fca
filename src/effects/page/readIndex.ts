import { Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { forAgent } from "../../model/text/Sanitise.ts"
import { byteLength, truncateBytes } from "../../model/text/Text.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { Project } from "../../services/project/Project.ts"

/** There is no index, and with it nothing to list. */
export class IndexMissing extends Schema.TaggedError<IndexMissing>()("IndexMissing", { file: Schema.String }) {
  override get message() {
    return `no such file. 'ctx init' makes it, and so does the next write or pull.`
  }
}

/** Room for a sentence below it within the answer budget of rule 10. */
const usualBudget = 76_000

/**
 * `index.md` or `tags.md` as an agent reads it: made safe (rule 6), whole lines from `offset` on (UTF-16 code units of the
 * safe text), as many as fit into `budget` bytes. A last line says where the rest begins.
 *
 * Source: reference.md 3.1; design.md rules 6 and 10.
 */
export const readIndex = Effect.fn("readIndex")(function* (
  file: "index.md" | "tags.md",
  offset = 0,
  budget = usualBudget
) {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const text = yield* readTextIfThere(path.join(contexo, file))
  if (Option.isNone(text)) return yield* new IndexMissing({ file })
  const safe = forAgent(text.value)
  const start = Math.min(Math.max(0, offset), safe.length)
  const rest = safe.slice(start)
  if (byteLength(rest) <= budget) return rest
  const fitting = truncateBytes(rest, budget)
  const shown = fitting.slice(0, fitting.lastIndexOf("\n") + 1) || fitting
  const end = start + shown.length
  return `${shown}\n[${safe.length - end} more characters: read on at ctx://${file.slice(0, -3)}?offset=${end}]`
})

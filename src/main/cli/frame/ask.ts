import { Effect } from "effect"
import { Stdio } from "./Stdio.ts"

/** Whether there is somebody to ask: a person who types, and sees the question on stderr. */
export const canAsk = Effect.map(Stdio, ({ stderrIsTty, stdinIsTty }) => stdinIsTty && stderrIsTty)

/** Asks for a yes. Anything else is a no. */
export const agreed = Effect.fnUntraced(function* (question: string) {
  const answer = yield* (yield* Stdio).ask(`${question} [y/N]: `)
  return /^y(es)?$/i.test(answer.trim())
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { appendFileSync, existsSync, renameSync, truncateSync } from "node:fs"
import { assistant, bench, toolResult, toolUse, user } from "./support.ts"

/** What may happen while a transcript grows. */
const moment = fc.constantFrom(
  ...([
    "Stop",
    "Stop",
    "PostToolUse",
    "lose the state",
    "crash before the state",
    "crash within an append",
    "another file"
  ] as const)
)

const turn = fc.record({
  prompt: fc.constantFrom("yes", "why?", "zwei – 🟡", "go on\n\nplease"),
  answers: fc.array(fc.constantFrom("so", "done", "ｙ"), { maxLength: 2 }),
  tools: fc.array(fc.constantFrom("Read", "Bash"), { maxLength: 2 })
})

/** Shares of the transcript's bytes at which something happens. */
const moments = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), moment), { maxLength: 12 })

describe("whenever events come, and whatever of ours a crash leaves", () => {
  it.scopedLive("each turn is in the buffer once, whole and in its place", () =>
    Effect.gen(function* () {
      const open = yield* bench
      /** What a crash right before the state was written would leave of it. */
      let older = ""
      const look = (name: string) => {
        older = open.stateText()
        open.event({ hook_event_name: name })
      }
      const acts = {
        Stop: () => look("Stop"),
        PostToolUse: () => look("PostToolUse"),
        "lose the state": () => open.setState("half a sta"),
        "crash before the state": () => {
          look("Stop")
          open.setState(older)
        },
        "crash within an append": () => {
          const length = open.bufferLength()
          look("Stop")
          const grown = open.bufferLength() - length
          if (grown <= 0) return
          truncateSync(open.bufferPath(), length + Math.floor(grown / 2))
          open.setState(older)
        },
        "another file": () => {
          if (!existsSync(open.transcript)) return
          renameSync(open.transcript, `${open.transcript}.old`)
          open.rewrite(open.readOld())
        }
      }
      fc.assert(
        fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), moments, (turns, when) => {
          open.clear()
          const lines = turns.flatMap(({ answers, prompt, tools }) => [
            user(prompt),
            ...tools.flatMap((name) => [toolUse(name), toolResult("a result")]),
            ...answers.map((text) => assistant(text))
          ])
          const bytes = Buffer.from(lines.join(""))
          older = ""
          let written = 0
          for (const [share, what] of when.toSorted(([a], [b]) => a - b)) {
            const upTo = Math.floor(share * bytes.length)
            appendFileSync(open.transcript, bytes.subarray(written, upTo))
            written = upTo
            acts[what]()
          }
          appendFileSync(open.transcript, bytes.subarray(written))
          open.event()
          expect(open.records().map(({ assistant: said, tools, user: asked }) => [asked, said, tools])).toEqual(
            turns.map(({ answers, prompt, tools }) => [
              prompt,
              answers.length === 0 ? undefined : answers.join("\n"),
              tools.length === 0 ? undefined : tools
            ])
          )
        }),
        { numRuns: 60 }
      )
    })
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { withProgress } from "../../../src/main/cli/frame/progress.ts"
import { Stdio } from "../../../src/main/cli/frame/Stdio.ts"

/** A terminal or a pipe that remembers what it was told on stderr. */
const stdio = (stderrIsTty: boolean) => {
  const said: Array<string> = []
  const layer = Layer.succeed(Stdio, {
    stdinIsTty: true,
    stdoutIsTty: false,
    stderrIsTty,
    out: () => Effect.dieMessage("progress is not the document"),
    err: (text) => Effect.sync(() => said.push(text)).pipe(Effect.asVoid),
    input: Effect.succeed(new Uint8Array()),
    ask: () => Effect.succeed(""),
    askSecret: () => Effect.succeed("")
  })
  return { said, layer }
}

const work = (duration: "2 seconds" | "900 millis") =>
  withProgress("pulling")(Effect.delay(Effect.succeed("done"), duration))

describe("progress", () => {
  it.effect("is shown on a terminal after a second, and wiped when the work is done", () =>
    Effect.gen(function* () {
      const { layer, said } = stdio(true)
      const fiber = yield* Effect.fork(Effect.provide(work("2 seconds"), layer))
      yield* TestClock.adjust("999 millis")
      expect(said).toEqual([])
      yield* TestClock.adjust("1 millis")
      expect(said).toEqual(["pulling ..."])
      yield* TestClock.adjust("1 seconds")
      expect(yield* Fiber.join(fiber)).toBe("done")
      expect(said).toEqual(["pulling ...", `\r${" ".repeat(11)}\r`])
    })
  )

  it.effect("is not shown for quick work, nor in a pipe", () =>
    Effect.gen(function* () {
      const quick = stdio(true)
      const piped = stdio(false)
      const one = yield* Effect.fork(Effect.provide(work("900 millis"), quick.layer))
      const other = yield* Effect.fork(Effect.provide(work("2 seconds"), piped.layer))
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(one)
      yield* Fiber.join(other)
      expect([quick.said, piped.said]).toEqual([[], []])
    })
  )
})

import { Context, Effect, Layer, Ref } from "effect"
import { Stdio } from "./Stdio.ts"

/** 0 done, 1 failed, 2 bad usage, 3 conflict, paused or needs an answer, 4 not initialised or not authenticated, 130 stopped. */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 130

/** What a command has to say. */
export interface Answer {
  /** The text on stdout; a final newline is added unless `exact`. Empty prints nothing. */
  readonly text: string
  /** What `--json` prints instead. */
  readonly json?: unknown
  /** Lines for the person, on stderr, with `--json` too. */
  readonly notes?: ReadonlyArray<string>
  readonly exit?: ExitCode
  readonly exact?: boolean
  /** What is printed instead of the text, as it is. */
  readonly bytes?: Uint8Array
}

/** Takes a command's answer: the document to stdout, the exit code to the end of the process. */
export class Reply extends Context.Tag("ctx-mcp/cli/Reply")<
  Reply,
  {
    readonly send: (answer: Answer, asJson: boolean) => Effect.Effect<void>
    /** From here on, being stopped by a signal is the normal end. */
    readonly runsUntilStopped: Effect.Effect<void>
    readonly exitCode: Effect.Effect<ExitCode>
    /** The exit code of a command that was stopped by a signal. */
    readonly stoppedCode: Effect.Effect<ExitCode>
  }
>() {
  static readonly layer = Layer.effect(
    Reply,
    Effect.gen(function* () {
      const stdio = yield* Stdio
      const exitCode = yield* Ref.make<ExitCode>(0)
      const stoppedCode = yield* Ref.make<ExitCode>(130)
      return {
        exitCode: Ref.get(exitCode),
        stoppedCode: Ref.get(stoppedCode),
        runsUntilStopped: Ref.set(stoppedCode, 0),
        send: (answer, asJson) =>
          Effect.gen(function* () {
            for (const note of answer.notes ?? []) yield* stdio.err(`${note}\n`)
            yield* stdio.out(asJson ? document(answer.json) : (answer.bytes ?? textOf(answer)))
            yield* Ref.set(exitCode, answer.exit ?? 0)
          })
      }
    })
  )
}

/** Sends what an effect answers. */
export const reply = <E, R>(asJson: boolean, answer: Effect.Effect<Answer, E, R>): Effect.Effect<void, E, R | Reply> =>
  Effect.flatMap(answer, (value) => Effect.flatMap(Reply, (service) => service.send(value, asJson)))

/** The one JSON document on stdout. */
export const document = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const textOf = ({ exact, text }: Answer): string => (text === "" || exact === true ? text : `${text}\n`)

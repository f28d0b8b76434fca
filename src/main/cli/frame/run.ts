import { NodeContext } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { logging } from "../../logging.ts"
import type { CliFailure } from "./CliCommand.ts"
import { dispatch } from "./dispatch.ts"
import { document, type ExitCode, Reply } from "./Reply.ts"
import { Stdio } from "./Stdio.ts"
import * as StdioDriver from "./StdioDriver.ts"

/**
 * Runs one command line to its exit code. Whatever goes wrong is one message on stderr; with `--json`, stdout still
 * carries one document, which names the failure.
 *
 * @param ended Told the exit code. A signal interrupts the effect, whose own result is then lost; this is called all the same.
 */
export const run = (argv: ReadonlyArray<string>, ended: (code: ExitCode) => void): Effect.Effect<void> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(restore(dispatch(argv)))
      const code = yield* codeOf(exit, argv.includes("--json"))
      ended(code)
    })
  ).pipe(
    Effect.provide(Layer.provideMerge(Reply.layer, Layer.mergeAll(StdioDriver.layer, NodeContext.layer, logging))),
    Effect.scoped
  )

const codeOf = (exit: Exit.Exit<void, CliFailure>, asJson: boolean) =>
  Effect.gen(function* () {
    const reply = yield* Reply
    if (Exit.isSuccess(exit)) return yield* reply.exitCode
    // A signal interrupts: what was to be released is released by now.
    return Cause.isInterruptedOnly(exit.cause) ? yield* reply.stoppedCode : yield* explain(exit.cause, asJson)
  })

const explain = (cause: Cause.Cause<CliFailure>, asJson: boolean) =>
  Effect.gen(function* () {
    const stdio = yield* Stdio
    const failure = Cause.failureOption(cause)
    const { kind, message } = Option.match(failure, {
      onSome: ({ _tag, message }) => ({ kind: _tag, message }),
      onNone: () => ({
        kind: "Defect",
        message: `${firstLine(Cause.pretty(cause))} (a fault of ctx itself; CTX_DEBUG=1 shows more)`
      })
    })
    yield* Effect.logDebug("failed", cause)
    yield* stdio.err(`Error: ${message}\n`)
    if (asJson && kind !== "UsageError") yield* stdio.out(document({ error: { kind, message } }))
    return exitCodeOf(kind)
  })

const firstLine = (text: string): string => text.split("\n", 1).join("")

/** Failures that end with another code than 1. */
const exitCodes: Readonly<Record<string, ExitCode>> = {
  UsageError: 2,
  InvalidId: 2,
  InvalidRole: 2,
  InvalidKind: 2,
  InvalidSince: 2,
  InvalidName: 2,
  NotInProject: 4,
  NotConfigured: 4,
  Unauthorized: 4,
  ForeignToken: 4,
  NoToken: 4,
  NotShared: 4
}

const exitCodeOf = (kind: string): ExitCode => exitCodes[kind] ?? 1

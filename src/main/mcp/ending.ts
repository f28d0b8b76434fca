import { Cause, Exit } from "effect"
import process from "node:process"

/** How a server's process ends: what is still open (a connection kept alive, stdin) must not keep it. */
export const ending = {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: <E, A>(exit: Exit.Exit<E, A>): void =>
    process.exit(Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause) ? 0 : 1)
} as const

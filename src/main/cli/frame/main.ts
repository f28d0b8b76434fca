import { NodeRuntime } from "@effect/platform-node"
import { Exit } from "effect"
import process from "node:process"
import { run } from "./run.ts"

/** Runs a command line and ends the process with its exit code. Everything it said is out by then. */
export const main = (argv: ReadonlyArray<string>): void =>
  NodeRuntime.runMain(run(argv), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit) => process.exit(Exit.isSuccess(exit) ? Number(exit.value) : interrupted)
  })

/** As shells report a command that was stopped by SIGINT. */
const interrupted = 130

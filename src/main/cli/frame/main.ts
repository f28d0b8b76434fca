import { NodeRuntime } from "@effect/platform-node"
import process from "node:process"
import type { ExitCode } from "./Reply.ts"
import { run } from "./run.ts"

/** Runs a command line and ends the process with its exit code. Everything it said is out by then. */
export const main = (argv: ReadonlyArray<string>): void => {
  let code: ExitCode = 1
  const ended = (last: ExitCode) => {
    code = last
  }
  NodeRuntime.runMain(run(argv, ended), {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: () => process.exit(code)
  })
}

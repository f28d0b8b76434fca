import "./cli/frame/stdoutGuard.ts"
import { NodeRuntime } from "@effect/platform-node"
import { Exit } from "effect"
import process from "node:process"
import { run } from "./cli/frame/run.ts"

/** The `ctx` command: everything it says is out before the process ends. */
NodeRuntime.runMain(run(process.argv.slice(2)), {
  disableErrorReporting: true,
  disablePrettyLogger: true,
  teardown: (exit) => process.exit(Exit.isSuccess(exit) ? Number(exit.value) : 130)
})

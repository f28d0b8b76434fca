/** A child process of the tests: tries to replace a file without root's privileges, and prints how it was refused. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { writeAtomically } from "../../../src/services/files/AtomicFile.ts"
import { dropPrivileges } from "./privileges.ts"

const [file = ""] = process.argv.slice(2)
dropPrivileges()
NodeRuntime.runMain(
  writeAtomically(file, "new ".repeat(100_000)).pipe(
    Effect.flip,
    Effect.map(({ operation, reason }) => process.stdout.write(`${operation} ${reason}\n`)),
    Effect.provide(NodeContext.layer)
  )
)

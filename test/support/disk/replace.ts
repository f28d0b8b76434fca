/** A child process of the tests: `replace.ts FILE TEXT CALL` replaces a file, and stops for ever at the given call. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { writeAtomically } from "../../../src/services/files/AtomicFile.ts"
import { faultyFileSystem } from "./faults.ts"

const [file = "", text = "", call = "0"] = process.argv.slice(2)
const stopped = Effect.sync(() => process.stdout.write("stopped\n"))
// `never` alone does not keep a process alive.
const alive = Effect.forever(Effect.sleep("1 second"))

const faulty = faultyFileSystem({ at: Number(call), code: "hang" }, stopped)

NodeRuntime.runMain(
  Effect.race(writeAtomically(file, text.repeat(100_000)), alive).pipe(
    Effect.provide(Layer.provideMerge(faulty, NodeContext.layer))
  )
)

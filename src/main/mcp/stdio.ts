import { NodeFileSystem, NodePath, NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import process from "node:process"
import { logging } from "../logging.ts"
import { ending } from "./ending.ts"
import { takeStdout } from "./protocolStdoutDriver.ts"
import { serve } from "./serve.ts"

/**
 * `ctx-mcp`, and `ctx mcp`: serves the client at this process's standard streams until it is gone, then ends the process
 * with 0.
 *
 * @param root `--root`: the project's folder; else the nearest one above the working directory that holds `.contexo/`
 */
export const main = (root?: string | undefined): void =>
  NodeRuntime.runMain(
    serve({
      where: { cwd: process.cwd(), ...(root === undefined ? {} : { root }) },
      input: process.stdin,
      output: takeStdout()
    }).pipe(
      Effect.tapErrorCause((cause) => Effect.logError("the server ended unexpectedly", cause)),
      Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, logging))
    ),
    ending
  )

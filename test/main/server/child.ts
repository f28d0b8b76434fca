/** A server in a process of its own, for tests that kill it: `child.ts DATA`. */
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect, Option } from "effect"
import { serve } from "../../../src/main/server/serve.ts"

const data = Option.fromNullable(process.argv[2])
NodeRuntime.runMain(Effect.provide(serve({ data, host: "127.0.0.1", port: 0, json: true }), NodeContext.layer))

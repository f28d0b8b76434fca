import { FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { FileFailure } from "./FileFailure.ts"
import { Project } from "./Project.ts"

/** The capture buffers under `raw/sessions/_pending/`, any age, archived ones excepted. */
export class PendingBuffers extends Context.Tag("ctx-mcp/PendingBuffers")<
  PendingBuffers,
  {
    readonly count: Effect.Effect<number, FileFailure>
  }
>() {
  static readonly layer = Layer.effect(
    PendingBuffers,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = (yield* Path.Path).join((yield* Project).contexo, "raw", "sessions", "_pending")
      return {
        count: fs.readDirectory(folder).pipe(
          Effect.map((names) => names.filter((name) => name.endsWith(".jsonl")).length),
          Effect.catchTag("SystemError", (error) =>
            error.reason === "NotFound"
              ? Effect.succeed(0)
              : new FileFailure({ path: folder, operation: "list", reason: error.reason })
          ),
          Effect.catchTag(
            "BadArgument",
            (error) => new FileFailure({ path: folder, operation: "list", reason: error.message })
          )
        )
      }
    })
  )
}

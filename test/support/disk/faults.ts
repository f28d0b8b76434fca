import { Error as Platform, FileSystem } from "@effect/platform"
import { Effect, Layer, Ref } from "effect"

export interface FaultPlan {
  /** The 1-based call that fails, counted over every call that reaches the disk. */
  readonly at: number
  /** The errno of the failure; `hang` never answers, as a process that is killed there. */
  readonly code: string
}

/** The real file system, whose n-th call fails. A failing write has written half of its bytes before. */
export const faultyFileSystem = (plan: FaultPlan, onFault: Effect.Effect<void> = Effect.void) =>
  Layer.effect(
    FileSystem.FileSystem,
    Effect.gen(function* () {
      const real = yield* FileSystem.FileSystem
      const calls = yield* Ref.make(0)
      const step = <A, E, R>(
        name: string,
        call: Effect.Effect<A, E, R>,
        half: Effect.Effect<unknown, E, R> = Effect.void
      ) =>
        Effect.flatMap(
          Ref.updateAndGet(calls, (n) => n + 1),
          (n): Effect.Effect<A, E | Platform.PlatformError, R> => {
            if (n !== plan.at) return call
            const fail = plan.code === "hang" ? Effect.never : refuse(name, plan.code)
            return Effect.zipRight(half, Effect.zipRight(onFault, fail))
          }
        )
      const file = (opened: FileSystem.File): FileSystem.File =>
        new Proxy(opened, {
          get: (target, key) => {
            if (key === "writeAll") {
              return (bytes: Uint8Array) =>
                step("writeAll", target.writeAll(bytes), target.writeAll(bytes.subarray(0, bytes.length >> 1)))
            }
            return key === "sync" ? step("sync", target.sync) : Reflect.get(target, key, target)
          }
        })
      return FileSystem.FileSystem.of({
        ...real,
        open: (path, options) => Effect.map(step("open", real.open(path, options)), file),
        chmod: (path, mode) => step("chmod", real.chmod(path, mode)),
        rename: (from, to) => step("rename", real.rename(from, to)),
        makeDirectory: (path, options) => step("makeDirectory", real.makeDirectory(path, options))
      })
    })
  )

const refuse = (method: string, code: string) =>
  new Platform.SystemError({
    module: "FileSystem",
    method,
    reason: "Unknown",
    cause: Object.assign(new Error(`${code}: injected`), { code })
  })

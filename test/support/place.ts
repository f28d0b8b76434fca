import { FileSystem, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { Project } from "../../src/services/Project.ts"

/** A real folder of a test's own, and what a test does in it. Paths are relative to the folder. */
export interface Place {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly at: (...parts: ReadonlyArray<string>) => string
  readonly makeFolder: (path: string) => Effect.Effect<void>
  /** Makes the folders on the way too. */
  readonly write: (path: string, content: string | Uint8Array) => Effect.Effect<void>
  readonly read: (path: string) => Effect.Effect<string>
  readonly exists: (path: string) => Effect.Effect<boolean>
  readonly link: (target: string, path: string) => Effect.Effect<void>
  readonly chmod: (path: string, mode: number) => Effect.Effect<void>
  /** Permission bits. */
  readonly mode: (path: string) => Effect.Effect<number>
  /** Every path below the folder, sorted, `.git` folders left out. */
  readonly everything: Effect.Effect<ReadonlyArray<string>>
  readonly git: (path: string, ...args: ReadonlyArray<string>) => Effect.Effect<void>
}

/** A fresh place, gone when the scope ends. */
export const freshPlace = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { dirname, join } = yield* Path.Path
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "ctx-test-" }))
  const at = (...parts: ReadonlyArray<string>) => join(folder, ...parts)
  const place: Place = {
    folder,
    at,
    makeFolder: (path) => Effect.orDie(fs.makeDirectory(at(path), { recursive: true })),
    write: (path, content) =>
      fs
        .makeDirectory(dirname(at(path)), { recursive: true })
        .pipe(
          Effect.zipRight(
            fs.writeFile(at(path), typeof content === "string" ? new TextEncoder().encode(content) : content)
          ),
          Effect.orDie
        ),
    read: (path) => Effect.orDie(fs.readFileString(at(path))),
    exists: (path) => Effect.orDie(fs.exists(at(path))),
    link: (target, path) => Effect.orDie(fs.symlink(target, at(path))),
    chmod: (path, mode) => Effect.orDie(fs.chmod(at(path), mode)),
    mode: (path) => Effect.map(Effect.orDie(fs.stat(at(path))), (info) => info.mode & 0o777),
    everything: Effect.map(Effect.orDie(fs.readDirectory(folder, { recursive: true })), (paths) =>
      paths.filter((path) => !/(^|[\\/])\.git([\\/]|$)/.test(path)).toSorted()
    ),
    git: (path, ...args) =>
      Effect.sync(() => {
        execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
          cwd: at(path),
          stdio: "pipe",
          env: {
            PATH: process.env["PATH"],
            HOME: folder,
            GIT_CONFIG_NOSYSTEM: "1",
            GIT_AUTHOR_NAME: "Dev",
            GIT_AUTHOR_EMAIL: "dev@example.com",
            GIT_COMMITTER_NAME: "Dev",
            GIT_COMMITTER_EMAIL: "dev@example.com"
          }
        })
      })
  }
  return place
})

/** Runs with exactly these variables of the environment. */
export const withEnvironment = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

/** The project whose root is a folder of the place. */
export const projectIn = (place: Place, path = "."): Layer.Layer<Project> =>
  Layer.succeed(Project, { root: place.at(path), contexo: place.at(path, ".contexo") })

export const platform = NodeContext.layer

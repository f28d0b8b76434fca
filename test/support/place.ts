import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { NodeContext } from "@effect/platform-node"
import { ConfigProvider, Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { Project } from "../../src/services/project/Project.ts"

/** A real folder of a test's own, and what a test does in it. Paths are relative to the folder. */
export interface Place {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly at: (...parts: ReadonlyArray<string>) => string
  readonly makeFolder: (path: string) => Effect.Effect<void>
  /** Makes the folders on the way too. */
  readonly write: (path: string, content: string | Uint8Array) => Effect.Effect<void>
  readonly read: (path: string) => Effect.Effect<string>
  /** Fails where there is no file to read. */
  readonly tryRead: (path: string) => Effect.Effect<string, PlatformError>
  readonly exists: (path: string) => Effect.Effect<boolean>
  readonly remove: (path: string) => Effect.Effect<void>
  readonly isLink: (path: string) => Effect.Effect<boolean>
  readonly link: (target: string, path: string) => Effect.Effect<void>
  readonly chmod: (path: string, mode: number) => Effect.Effect<void>
  /** Permission bits. */
  readonly mode: (path: string) => Effect.Effect<number>
  /** Every path below the folder, sorted, `.git` folders left out. */
  readonly everything: Effect.Effect<ReadonlyArray<string>>
  readonly git: (path: string, ...args: ReadonlyArray<string>) => Effect.Effect<void>
  /** The same for a folder in it, which need not be there yet. */
  readonly below: (path: string) => Place
}

/** A fresh place, gone when the scope ends. */
export const freshPlace = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "ctx-test-" }))
  return placeAt(fs, yield* Path.Path, folder)
})

const placeAt = (fs: FileSystem.FileSystem, path: Path.Path, folder: string): Place => {
  const at = (...parts: ReadonlyArray<string>) => path.join(folder, ...parts)
  const tryRead = (name: string) => fs.readFileString(at(name))
  return {
    folder,
    at,
    makeFolder: (name) => Effect.orDie(fs.makeDirectory(at(name), { recursive: true })),
    write: (name, content) =>
      fs
        .makeDirectory(path.dirname(at(name)), { recursive: true })
        .pipe(
          Effect.zipRight(
            fs.writeFile(at(name), typeof content === "string" ? new TextEncoder().encode(content) : content)
          ),
          Effect.orDie
        ),
    read: (name) => Effect.orDie(tryRead(name)),
    tryRead,
    exists: (name) => Effect.orDie(fs.exists(at(name))),
    remove: (name) => Effect.orDie(fs.remove(at(name), { recursive: true })),
    link: (target, name) => Effect.orDie(fs.symlink(target, at(name))),
    isLink: (name) => Effect.isSuccess(fs.readLink(at(name))),
    chmod: (name, mode) => Effect.orDie(fs.chmod(at(name), mode)),
    mode: (name) => Effect.map(Effect.orDie(fs.stat(at(name))), (info) => info.mode & 0o777),
    everything: Effect.map(Effect.orDie(fs.readDirectory(folder, { recursive: true })), (paths) =>
      paths.filter((name) => !/(^|[\\/])\.git([\\/]|$)/.test(name)).toSorted()
    ),
    git: (name, ...args) => Effect.sync(() => git(folder, at(name), args)),
    below: (name) => placeAt(fs, path, at(name))
  }
}

/** Real git, with nothing of the developer's own settings. */
const git = (home: string, cwd: string, args: ReadonlyArray<string>): void => {
  const who = { NAME: "Dev", EMAIL: "dev@example.com" }
  execFileSync("git", ["-c", "protocol.file.allow=always", ...args], {
    cwd,
    stdio: "pipe",
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: who.NAME,
      GIT_AUTHOR_EMAIL: who.EMAIL,
      GIT_COMMITTER_NAME: who.NAME,
      GIT_COMMITTER_EMAIL: who.EMAIL
    }
  })
}

/** Runs with exactly these variables of the environment. */
export const withEnvironment = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))

/** The project whose root is a folder of the place. */
export const projectIn = (place: Place, path = "."): Layer.Layer<Project> =>
  Layer.succeed(Project, { root: place.at(path), contexo: place.at(path, ".contexo") })

export const platform = NodeContext.layer

import { FileSystem, Path } from "@effect/platform"
import { Clock, Duration, Effect, Either, Option } from "effect"
import { parseServerUrl } from "../../model/sync/ServerUrl.ts"
import { isTemporary } from "../../services/files/AtomicFile.ts"
import { folderOf, pageTypes } from "../../model/page/PageType.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { namesIfThere, statIfThere } from "../../services/files/Files.ts"
import { LockTimeout } from "../../services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../services/project/ProjectLockLive.ts"
import { lookAlikes } from "../../services/project/LookAlikes.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import { currentUid } from "../../services/runtime/UserDriver.ts"
import { failureOf, type Finding, note, ok, problem, warning } from "./Finding.ts"

/** Findings about the settings: can they be read, and who else can. */
export const settingsFindings = Effect.gen(function* () {
  const config = yield* Effect.either((yield* ProjectConfig).read)
  const credential = yield* Effect.either((yield* Credentials).read)
  return [
    ...configFindings(config),
    ...failureOf("credentials", credential, "credentials.json"),
    ...(Either.isRight(credential)
      ? [
          Option.match(credential.right, {
            onNone: () => note("credentials", "no token is stored", { fix: "ctx login" }),
            onSome: ({ kind }) => ok("credentials", kind)
          })
        ]
      : []),
    ...(yield* modeFindings)
  ]
})

const configFindings = (
  config: Either.Either<{ readonly server_url?: string | undefined }, { readonly message: string }>
) => {
  const path = "config.json"
  if (Either.isLeft(config)) return failureOf("config", config, path)
  const url = config.right.server_url ?? ""
  const parsed = parseServerUrl(url)
  return url !== "" && Either.isLeft(parsed)
    ? [problem("config", parsed.left.message, { path, fix: "ctx remote set <url>" })]
    : [ok("config", "can be read")]
}

/** Whether somebody else may read the token. Windows has no modes of this kind. */
export const readableByOthers = Effect.gen(function* () {
  const file = (yield* Path.Path).join((yield* Project).contexo, "credentials.json")
  const mode = Option.map(yield* statIfThere(file), ({ mode }) => mode & 0o777)
  const hasModes = Option.isSome(yield* currentUid)
  return { file, mode: Option.filter(mode, (bits) => hasModes && (bits & 0o077) !== 0) }
})

const modeFindings = readableByOthers.pipe(
  Effect.map(({ mode }) =>
    Option.toArray(mode).map((bits) =>
      problem(
        "credentials-mode",
        `others on this machine may use the token (mode ${bits.toString(8).padStart(4, "0")})`,
        {
          path: "credentials.json",
          fix: "'ctx doctor --fix' makes it 0600"
        }
      )
    )
  ),
  Effect.catchAll(({ message }) => Effect.succeed([problem("credentials-mode", message, { path: "credentials.json" })]))
)

/** A write takes milliseconds: what is older than this has no writer. */
const abandonedAfter = Duration.toMillis("1 minute")

const ownFolders = ["", ".sync", ".cache", ...pageTypes.map((type) => folderOf[type])]

/** Temporary files that a killed process left behind, absolute and below `.contexo/`. */
export const leftovers = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const now = yield* Clock.currentTimeMillis
  const found: Array<{ readonly file: string; readonly path: string }> = []
  for (const folder of ownFolders) {
    const names = yield* Effect.orElseSucceed(namesIfThere(path.join(contexo, folder)), () => [])
    for (const name of names.filter(isTemporary)) {
      const file = path.join(contexo, folder, name)
      const info = yield* Effect.option(fs.stat(file))
      const written = Option.flatMap(info, ({ mtime }) => mtime)
      if (Option.exists(written, (date) => now - date.getTime() > abandonedAfter)) {
        found.push({ file, path: folder === "" ? name : `${folder}/${name}` })
      }
    }
  }
  return found
})

export const leftoverFindings = Effect.map(leftovers, (found) =>
  found.map(({ path }) =>
    note("temporary-files", "left behind by a process that was killed; nothing reads it", {
      path,
      fix: "'ctx doctor --fix' removes it, and so does a write there an hour later"
    })
  )
)

/** Whether the project's lock can be taken. Its holder's end frees it, so it is never stale. */
export const lockFindings = Effect.gen(function* () {
  const lock = yield* ProjectLockLive.make({ wait: "250 millis" })
  const path = ".sync/lock.db"
  return yield* lock.run(Effect.succeed([ok("lock", "free")])).pipe(
    Effect.catchAll((failure) =>
      Effect.succeed([
        failure instanceof LockTimeout
          ? note("lock", "another ctx process is writing here right now; its end, whatever it is, frees the lock", {
              path
            })
          : problem("lock", failure.message, { path })
      ])
    )
  )
}).pipe(Effect.scoped)

/** Other projects nearby that somebody may have meant. */
export const lookAlikeFindings = (pages: number) =>
  Effect.gen(function* () {
    const found = yield* lookAlikes((yield* Project).root)
    return found.map((path): Finding =>
      pages === 0
        ? warning("look-alike", "no pages here, but another project is there", { path })
        : note("look-alike", "another project is there", { path })
    )
  })

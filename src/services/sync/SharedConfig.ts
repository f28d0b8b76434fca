import { type FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option, Schema } from "effect"
import { parseServerUrl, type ServerUrl } from "../../model/sync/ServerUrl.ts"
import { writeAtomically } from "../files/AtomicFile.ts"
import { CorruptFile, type FileFailure, type LeavesStore } from "../files/FileFailure.ts"
import { readTextIfThere } from "../files/Files.ts"
import { readJsonFile } from "../files/JsonFile.ts"
import { staysInside } from "../project/ProjectTrust.ts"
import { RepoId } from "./SyncApi.ts"
import { setMembers } from "../files/Jsonc.ts"

type Disk = FileSystem.FileSystem | Path.Path

/** What a team commits, so that a second teammate's `ctx init` finds server and repository. Never a token. */
export interface Shared {
  readonly serverUrl: Option.Option<ServerUrl>
  readonly repo: Option.Option<RepoId>
}

/** Name of the committed file, at the project's root. */
export const sharedName = "contexo.json"

const SharedFile = Schema.Struct({ server_url: Schema.optional(Schema.String), repo_id: Schema.optional(RepoId) })

/** Reads `contexo.json`; nothing is set where there is none. Other keys are not looked at, a token least of all. */
export const readShared = (root: string): Effect.Effect<Shared, CorruptFile | FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = (yield* Path.Path).join(root, sharedName)
    const file = yield* readJsonFile(path, SharedFile)
    if (Option.isNone(file)) return { serverUrl: Option.none(), repo: Option.none() }
    const { repo_id, server_url } = file.value.known
    if (server_url === undefined || server_url === "")
      return { serverUrl: Option.none(), repo: Option.fromNullable(repo_id) }
    const serverUrl = yield* Either.mapLeft(
      parseServerUrl(server_url),
      ({ reason }) => new CorruptFile({ path, reason: `its "server_url" is no server's address: ${reason}` })
    )
    return { serverUrl: Option.some(serverUrl), repo: Option.fromNullable(repo_id) }
  }).pipe(Effect.withSpan("SharedConfig.read"))

/** Writes both keys; other keys, their order and the file's layout stay. Call under the project lock. */
export const writeShared = (
  root: string,
  shared: { readonly serverUrl: ServerUrl; readonly repo: RepoId }
): Effect.Effect<string, CorruptFile | FileFailure | LeavesStore, Disk> =>
  Effect.gen(function* () {
    const path = (yield* Path.Path).join(root, sharedName)
    yield* staysInside(root, sharedName)
    yield* readJsonFile(path, Schema.Struct({}))
    const before = Option.getOrElse(yield* readTextIfThere(path), () => "")
    const after = yield* Either.mapLeft(
      setMembers(before, { server_url: shared.serverUrl, repo_id: shared.repo }),
      (reason) => new CorruptFile({ path, reason })
    )
    if (after !== before) yield* writeAtomically(path, after)
    return path
  }).pipe(Effect.withSpan("SharedConfig.write"))

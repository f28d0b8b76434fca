import { type FileSystem, Path } from "@effect/platform"
import { Context, Effect, Layer, Option } from "effect"
import { environment } from "../runtime/Environment.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { isFolder, realPathIfThere } from "../files/Files.ts"
import { repositoryAround } from "../project/ProjectDiscovery.ts"
import { databaseIn, subscribedAt } from "./RegistryDriver.ts"

/** The project whose conversations are kept, and where. */
export class PagingPlace extends Context.Tag("ctx-mcp/PagingPlace")<
  PagingPlace,
  {
    /** Absolute. */
    readonly root: string
    /** Absolute path of the database, which need not be there yet. */
    readonly database: string
    /** The variables that name places of the user. */
    readonly variables: Readonly<Record<string, string | undefined>>
  }
>() {
  /**
   * The nearest folder at or above that holds `agents/context-paging/` or is subscribed, else the repository's top, else the
   * folder itself. `CP_DB` names another database.
   *
   * Source: design.md section 12.
   */
  static readonly layer = (folder: string): Layer.Layer<PagingPlace, FileFailure, FileSystem.FileSystem | Path.Path> =>
    Layer.effect(
      PagingPlace,
      Effect.gen(function* () {
        const path = yield* Path.Path
        const variables = yield* userVariables
        const from = Option.getOrElse(yield* realPathIfThere(path.resolve(folder)), () => path.resolve(folder))
        const subscribed = subscribedAt([folder], variables)
        const root = (yield* nearest(from, subscribed?.root)) ?? (yield* topOf(from))
        const named = variables["CP_DB"]
        const database =
          named !== undefined
            ? path.resolve(folder, named)
            : subscribed?.root === root
              ? subscribed.database
              : databaseIn(root)
        return { root, database, variables }
      })
    )
}

const names = [
  "HOME",
  "XDG_CONFIG_HOME",
  "CP_DB",
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
  "KIMI_CODE_HOME",
  "KIMI_SHARE_DIR"
] as const

const userVariables = Effect.map(
  Effect.forEach(names, (name) =>
    Effect.map(
      environment(name),
      (value) => [name, Option.getOrUndefined(Option.filter(value, (text) => text !== ""))] as const
    )
  ),
  (pairs): Readonly<Record<string, string | undefined>> => Object.fromEntries(pairs)
)

const nearest = Effect.fnUntraced(function* (from: string, subscribed: string | undefined) {
  const path = yield* Path.Path
  for (let folder = from; ; folder = path.dirname(folder)) {
    if (folder === subscribed || (yield* isFolder(path.join(folder, "agents", "context-paging")))) return folder
    if (folder === path.dirname(folder)) return subscribed
  }
})

const topOf = (from: string) =>
  Effect.map(repositoryAround(from), (found) => Option.match(found, { onNone: () => from, onSome: ({ top }) => top }))

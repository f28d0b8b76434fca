import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { homeFolder } from "../agents/AgentDetection.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { namesIfThere, realPathIfThere, statIfThere } from "../files/Files.ts"

/** Where knowledge is looked for. */
export interface Source {
  /** Absolute, without symbolic links. */
  readonly root: string
  /** The repository that it was cloned from, without credentials. */
  readonly url: Option.Option<string>
  /** Name of the clone's folder in the cache of clones. */
  readonly clone: Option.Option<string>
}

/** What a person knows it by: the repository's URL, else the folder. */
export const shownSource = ({ root, url }: Source): string => Option.getOrElse(url, () => root)

/** There is nothing to look into. */
export class NoSuchSource extends Schema.TaggedError<NoSuchSource>()("NoSuchSource", {
  source: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${forAgentLine(this.source)}: ${this.reason}. Name a folder, or the URL of a git repository.`
  }
}

/**
 * The folder that a person or an agent names; `~` is the home folder.
 *
 * @param base What a relative path starts from.
 *
 * Errors: `NoSuchSource` where there is no folder, and for a bare repository, which holds no files to read.
 */
export const folderSource = (
  base: string,
  named: string
): Effect.Effect<Source, NoSuchSource | FileFailure, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const home = yield* homeFolder
    const expanded = Option.isSome(home) && /^~(?=$|[/\\])/.test(named) ? path.join(home.value, named.slice(1)) : named
    const folder = path.resolve(base, expanded)
    const info = yield* statIfThere(folder)
    if (Option.isNone(info)) return yield* new NoSuchSource({ source: folder, reason: "there is no such folder" })
    if (info.value.type !== "Directory") {
      return yield* new NoSuchSource({
        source: folder,
        reason: "this is a file; of an export as .zip, name what it unpacks to"
      })
    }
    const names = new Set(yield* namesIfThere(folder))
    if (["HEAD", "objects", "refs", "config"].every((name) => names.has(name)) && !names.has(".git")) {
      return yield* new NoSuchSource({
        source: folder,
        reason: "this is a bare git repository, without files to read; give its path as file://... to have it cloned"
      })
    }
    const root = Option.getOrElse(yield* realPathIfThere(folder), () => folder)
    return { root, url: Option.none(), clone: Option.none() }
  })

import { Effect, Either, Option } from "effect"
import type { Skipped } from "../../model/migrate/Candidates.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import { progress } from "../runtime/Progress.ts"
import { gitFiles, type RawPath } from "./GitFilesDriver.ts"
import { type Folder, lookInto, rootFolder } from "./WalkDriver.ts"

/** The files of a tree that are not ignored. */
export interface Tree {
  /** From the root, with `/`; in no order. */
  readonly paths: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skipped>
}

/** A walk stops here: a tree of this size is no project. */
const mostFiles = 1_000_000

/**
 * Lists a tree as git sees it, and where git cannot be asked, with the same rules. Symbolic links are not followed.
 *
 * A folder that the repository around it ignores is listed without git: whoever names it means it.
 *
 * @param root Absolute, without symbolic links.
 */
export const treeOf = Effect.fn("treeOf")(function* (root: string) {
  const asked = yield* Effect.either(gitFiles(root))
  if (Either.isRight(asked) && asked.right.length > 0) return decoded(asked.right)
  yield* Effect.logDebug("listing without git", Either.isLeft(asked) ? asked.left : "git lists nothing here")
  return yield* walk(root)
})

const decoded = (raw: ReadonlyArray<RawPath>): Tree => {
  const paths = new Set<string>()
  const skipped: Array<Skipped> = []
  for (const bytes of raw) {
    const path = decodeUtf8(bytes)
    if (Option.isSome(path)) paths.add(path.value)
    else skipped.push({ path: forAgentLine(new TextDecoder().decode(bytes)), reason: "its name is not UTF-8 text" })
  }
  return { paths: [...paths], skipped }
}

const walk = Effect.fnUntraced(function* (root: string) {
  const paths: Array<string> = []
  const skipped: Array<Skipped> = []
  const open: Array<Folder> = [rootFolder(root)]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const looked = lookInto(root, folder)
    for (const file of looked.files) paths.push(file)
    for (const one of looked.skipped) skipped.push({ path: forAgentLine(one.path), reason: one.reason })
    for (const next of looked.folders) open.push(next)
    if (paths.length > mostFiles) {
      skipped.push({ path: folder.path, reason: `more than ${mostFiles} files: the rest was not looked at` })
      break
    }
    if (open.length % 64 === 0) yield* Effect.zipRight(progress(`found ${paths.length} files`), Effect.yieldNow())
  }
  return { paths, skipped } satisfies Tree
})

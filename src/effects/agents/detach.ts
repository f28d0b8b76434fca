import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { attachedSteps } from "../../services/agents/Attached.ts"
import { takeOutAt } from "../../services/agents/FilePlan.ts"
import { ignoreLine } from "../../services/agents/GitIgnore.ts"
import { hosts, type Located, locateParts } from "../../services/agents/Hosts.ts"
import { fileFailure } from "../../services/files/Errno.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { checkTrust } from "../../services/project/ProjectTrust.ts"
import { localStatus } from "../sync/status.ts"
import { findPart, unwirePart } from "./wiring.ts"

export interface DetachOptions {
  /** Leaves `.contexo/` and its line in `.gitignore` as they are. */
  readonly keepKnowledge: boolean
}

/** What detaching would do. */
export interface DetachPlan {
  readonly contexo: string
  /** Files that hold something of ours. */
  readonly parts: ReadonlyArray<Located>
  /** Whether `.gitignore` names `.contexo/`, and that goes too. */
  readonly ignored: boolean
  readonly purge: boolean
  /** Pages that no server has. */
  readonly neverPushed: number
}

/**
 * Works out what `ctx detach` would do; nothing is changed. Settings in the home folder count where this project put
 * something into them: another project's stay.
 */
export const planDetach = Effect.fn("planDetach")(function* ({ keepKnowledge }: DetachOptions) {
  const { contexo, root } = yield* Project
  const path = yield* Path.Path
  const steps = yield* attachedSteps(contexo)
  const all = yield* Effect.forEach(hosts, (host) => locateParts(host, root, ["mcp", "hooks"]))
  const parts = yield* Effect.filter(all.flat(), (located) =>
    Effect.map(Effect.either(findPart(located)), (found) => {
      const isOurs = steps.some(({ file, part }) => file === located.place.name && part === located.part)
      // A file that cannot be read is named when its turn comes.
      const isThere = Either.isLeft(found) ? isOurs : found.right !== "absent"
      return isThere && (located.scope === "project" || isOurs)
    })
  )
  const ignore = yield* readTextIfThere(path.join(root, ".gitignore"))
  const ignored = Option.exists(ignore, (text) => Either.getOrNull(ignoreLine.find(text)) === "wired")
  return {
    contexo,
    parts,
    ignored: ignored && !keepKnowledge,
    purge: !keepKnowledge,
    neverPushed: (yield* localStatus()).neverPushed.length
  } satisfies DetachPlan
})

/**
 * Takes everything of ours out of files that are not ours. `.contexo/` itself stays: `purge` removes it.
 *
 * @returns Why files were left as they are, one text for each.
 */
export const detach = Effect.fn("detach")(function* ({ contexo, ignored, parts }: DetachPlan) {
  const { root } = yield* Project
  const place = { name: ".gitignore", path: (yield* Path.Path).join(root, ".gitignore"), root }
  const ignore = takeOutAt(contexo, place, "ignore", new Map([["ignore", ignoreLine]]))
  const steps = [
    ...parts.map((located) => Effect.asVoid(unwirePart(located))),
    ...(ignored ? [Effect.asVoid(ignore)] : [])
  ]
  const [failures] = yield* (yield* ProjectLock).run(Effect.partition(steps, (step) => step))
  return failures.map(({ message }) => message)
})

/** Removes `.contexo/` with everything in it. Call it when nothing has a file in there open any more. */
export const purgeKnowledge = Effect.fn("purgeKnowledge")(function* (root: string, contexo: string) {
  yield* checkTrust(root)
  const fs = yield* FileSystem.FileSystem
  yield* Effect.mapError(fs.remove(contexo, { recursive: true }), fileFailure(contexo, "remove"))
})

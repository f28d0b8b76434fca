import type { FileSystem, Path } from "@effect/platform"
import { Effect, Layer, Ref, type Runtime, Schedule, Scope } from "effect"
import { Project } from "../../services/project/Project.ts"
import { discover, type Where } from "../../services/project/ProjectDiscovery.ts"
import { projectLayers } from "../ProjectLayers.ts"
import { makeOddities } from "./oddities.ts"

type Platform = FileSystem.FileSystem | Path.Path

/** What operations on the project need, beside the platform. */
export type ProjectServices = Layer.Layer.Success<typeof projectLayers> | Project

/** A server outside a project sleeps: it has no tools and no resources. */
export type State =
  | { readonly _tag: "Dormant"; readonly reason: string }
  | { readonly _tag: "Awake"; readonly services: Runtime.Runtime<ProjectServices> }

export interface Session {
  readonly state: Effect.Effect<State>
  /** Completes when a project has appeared; at once where there is one. */
  readonly awake: Effect.Effect<void, never, Platform>
  /** Warns, within bounds, of what a client sent that could not be used. */
  readonly odd: (reason: string) => Effect.Effect<void>
}

/** How often a sleeping server looks for a project. A look is a handful of stats. */
const interval = "2 seconds"

/**
 * The project that this server works in, found when the session begins or, where there is none yet, as soon as one
 * appears. Its services live as long as the scope.
 */
export const makeSession = Effect.fnUntraced(function* (where: Where) {
  const scope = yield* Effect.scope
  const state = yield* Ref.make<State>({ _tag: "Dormant", reason: "" })

  const sleep = (reason: string, problem: boolean) =>
    Effect.gen(function* () {
      const before = yield* Ref.getAndSet(state, { _tag: "Dormant", reason })
      if (problem && !(before._tag === "Dormant" && before.reason === reason)) yield* Effect.logWarning(reason)
    })

  const look = discover(where).pipe(
    Effect.flatMap((project) =>
      Layer.toRuntime(projectLayers.pipe(Layer.provideMerge(Layer.succeed(Project, project)))).pipe(Scope.extend(scope))
    ),
    Effect.flatMap((services) => Ref.set(state, { _tag: "Awake", services })),
    Effect.catchAll((failure) =>
      failure._tag === "NotInProject"
        ? sleep("no .contexo project in this directory", false)
        : sleep(failure.message, true)
    )
  )
  const isAwake = Effect.map(Ref.get(state), ({ _tag }) => _tag === "Awake")
  // Several clients may wait for one project.
  const turn = yield* Effect.makeSemaphore(1)
  const lookAgain = turn.withPermits(1)(
    Effect.if(isAwake, {
      onTrue: () => Effect.succeed(true),
      onFalse: () => Effect.zipRight(look, isAwake)
    })
  )

  yield* look
  return {
    odd: yield* makeOddities,
    state: Ref.get(state),
    awake: Effect.asVoid(
      Effect.repeat(lookAgain, { schedule: Schedule.spaced(interval), until: (awake: boolean) => awake })
    )
  } satisfies Session
})

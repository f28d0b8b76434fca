import { NodeContext } from "@effect/platform-node"
import { type Context, Effect, Layer, Option, Redacted, Scope } from "effect"
import { start } from "../../src/main/server/serve.ts"
import { projectLayers } from "../../src/main/ProjectLayers.ts"
import { Credentials } from "../../src/services/sync/Credentials.ts"
import { Project } from "../../src/services/project/Project.ts"
import { ProjectConfig } from "../../src/services/project/ProjectConfig.ts"
import { freshPlace, type Place } from "./place.ts"

/** Everything that an operation on a project may need. */
export type ProjectServices =
  | Layer.Layer.Success<typeof projectLayers>
  | Project
  | Layer.Layer.Success<typeof NodeContext.layer>

/** One clone of the shared project: real files, a real HTTP client. */
export interface Member {
  /** Absolute path of the clone. */
  readonly root: string
  readonly context: Context.Context<ProjectServices>
  /** Runs an operation as this member. */
  readonly as: <A, E>(operation: Effect.Effect<A, E, ProjectServices>) => Effect.Effect<A, E>
}

/** A real server on a free port with a real database, and a place for clones. */
export interface Team {
  readonly place: Place
  readonly url: string
  readonly token: string
  /** A clone that is wired up; the second one of a name is a restart of it. */
  readonly member: (name: string) => Effect.Effect<Member>
}

/** Builds a clone's services over its folder. */
export const open = Effect.fnUntraced(function* (root: string) {
  const project = Layer.succeed(Project, { root, contexo: `${root}/.contexo` })
  const context = yield* Layer.build(
    projectLayers.pipe(Layer.provideMerge(project), Layer.provideMerge(NodeContext.layer))
  )
  const as: Member["as"] = (operation) => Effect.provide(operation, context)
  return { root, context, as } satisfies Member
})

/** A team that lives as long as the scope. */
export const freshTeam = Effect.gen(function* () {
  const place = yield* freshPlace
  const { ownerToken, url } = yield* start({
    data: Option.some(place.at("server")),
    host: "127.0.0.1",
    port: 0
  })
  const token = Option.getOrElse(ownerToken, () => "")
  const scope = yield* Effect.scope
  const member = (name: string) =>
    Effect.gen(function* () {
      yield* place.makeFolder(`${name}/.contexo`)
      const clone = yield* open(place.at(name))
      yield* clone.as(
        Effect.gen(function* () {
          yield* (yield* ProjectConfig).update({ server_url: url, repo_id: "demo" })
          yield* (yield* Credentials).write({ bearer: Redacted.make(token), serverUrl: url, userName: name })
        })
      )
      return clone
    }).pipe(Scope.extend(scope), Effect.orDie)
  return { place, url, token, member } satisfies Team
})

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileSystem, HttpClient, Path } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { type Context, Effect, type Exit, Layer, type Option, Scope } from "effect"
import * as Merge from "../../src/effects/sync/Merge.ts"
import { Push } from "../../src/effects/sync/Push.ts"
import { type PagePath, parsePagePath } from "../../src/model/page/PagePath.ts"
import { folderOf, pageTypes } from "../../src/model/page/PageType.ts"
import * as CredentialsLive from "../../src/services/sync/CredentialsLive.ts"
import { localStore } from "../../src/services/LocalStore.ts"
import { PageReads } from "../../src/services/page/PageReads.ts"
import { Project } from "../../src/services/project/Project.ts"
import * as ProjectConfigLive from "../../src/services/project/ProjectConfigLive.ts"
import * as SyncClientLive from "../../src/services/sync/SyncClientLive.ts"
import type { Activity } from "../support/faults/FaultyClock.ts"
import { type FaultPlan, make as makePlan } from "../support/faults/FaultPlan.ts"
import { type FileFault, layer as faultyFiles } from "../support/faults/FaultyFileSystem.ts"
import { layer as faultyStores } from "../support/faults/FaultyStores.ts"
import { type HttpFault, layer as faultyHttp } from "../support/faults/FaultyHttp.ts"
import { begin, type Life } from "../support/faults/Life.ts"
import type { Server } from "./Server.ts"

type Platform = FileSystem.FileSystem | Path.Path | HttpClient.HttpClient

/** Everything that the operations of these steps need, over a platform. */
const services = (stores: ReturnType<typeof faultyStores>) =>
  Merge.layer.pipe(
    Layer.provide(Push.layer),
    Layer.provideMerge(Layer.mergeAll(SyncClientLive.layer, PageReads.layer)),
    Layer.provideMerge(Layer.mergeAll(ProjectConfigLive.layer, CredentialsLive.layer)),
    Layer.provideMerge(stores),
    Layer.provideMerge(localStore)
  )

export type Services = Layer.Layer.Success<ReturnType<typeof services>> | Project | Platform

/** One process on a clone: what it runs can be made to fail, and to die. */
export interface Process {
  readonly files: FaultPlan<FileFault>
  readonly http: FaultPlan<HttpFault>
  /** None: it was killed on the way. */
  readonly as: <A, E>(operation: Effect.Effect<A, E, Services>) => Effect.Effect<Option.Option<Exit.Exit<A, E>>>
  readonly end: Effect.Effect<void>
  /** What its user read in it, as the process remembers it too. */
  readonly seen: Map<PagePath, string>
}

/** A folder with a user who works in it. */
export interface Clone {
  readonly name: string
  readonly contexo: string
  process: Process
}

export interface World {
  readonly server: Server
  readonly activity: Activity
}

const openLife = (root: string, life: Life, { activity, server }: World) => {
  const files = makePlan<FileFault>()
  const http = makePlan<HttpFault>()
  const platform = Layer.mergeAll(
    faultyFiles({ plan: files, life, activity, sync: false }),
    faultyHttp({ plan: http, life, activity }).pipe(Layer.provide(server.client))
  ).pipe(Layer.provideMerge(NodeContext.layer))
  const project = Layer.succeed(Project, { root, contexo: join(root, ".contexo") })
  const layer: Layer.Layer<Services> = services(faultyStores({ plan: files, life })).pipe(
    Layer.provideMerge(project),
    Layer.provideMerge(platform)
  )
  return { files, http, layer }
}

/** Starts a process on a folder. */
export const openProcess = Effect.fnUntraced(function* (root: string, world: World) {
  const life = yield* begin
  const { files, http, layer } = openLife(root, life, world)
  const context: Context.Context<Services> = yield* Scope.extend(Layer.build(layer), life.scope)
  return {
    files,
    http,
    as: (operation) => life.run(Effect.provide(operation, context)),
    end: life.end,
    seen: new Map()
  } satisfies Process
})

/** Makes a clone that is wired up. */
export const makeClone = Effect.fnUntraced(function* (root: string, name: string, world: World) {
  const contexo = join(root, ".contexo")
  mkdirSync(contexo, { recursive: true })
  const url = "http://127.0.0.1:1"
  writeFileSync(join(contexo, "config.json"), JSON.stringify({ version: 1, server_url: url, repo_id: "sim" }))
  const credentials = { token: world.server.token, server_url: url, user_name: name }
  writeFileSync(join(contexo, "credentials.json"), JSON.stringify(credentials), { mode: 0o600 })
  return { name, contexo, process: yield* openProcess(root, world) } satisfies Clone
})

export const rootOf = ({ contexo }: Clone): string => join(contexo, "..")

/** The bytes of every page file, as text, whatever they are. */
export const pagesOn = ({ contexo }: Clone): ReadonlyMap<PagePath, string> => {
  const pages = new Map<PagePath, string>()
  for (const type of pageTypes) {
    const folder = join(contexo, folderOf[type])
    for (const name of existsSync(folder) ? readdirSync(folder).toSorted() : []) {
      const path = parsePagePath(`${folderOf[type]}/${name}`)
      if (path._tag === "Some") pages.set(path.value, readText(join(folder, name)))
    }
  }
  return pages
}

/** With its byte order mark. */
export const readText = (file: string): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(file))

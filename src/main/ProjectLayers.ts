import { Effect, Layer } from "effect"
import * as Distill from "../effects/capture/Distill.ts"
import { Drift } from "../effects/sync/Drift.ts"
import * as Merge from "../effects/sync/Merge.ts"
import { Push } from "../effects/sync/Push.ts"
import * as SecretGuard from "../effects/capture/SecretGuard.ts"
import * as CredentialsLive from "../services/sync/CredentialsLive.ts"
import * as HttpClientDriver from "../services/sync/HttpClientDriver.ts"
import { localStore } from "../services/LocalStore.ts"
import * as PageSearchLive from "../services/search/PageSearchLive.ts"
import { PagingDatabase } from "../services/paging/PagingDatabase.ts"
import { PagingPlace } from "../services/paging/PagingPlace.ts"
import { Registry } from "../services/paging/Registry.ts"
import { Project } from "../services/project/Project.ts"
import { PageReads } from "../services/page/PageReads.ts"
import { Staging } from "../services/migrate/Staging.ts"
import { PendingBuffers } from "../services/capture/PendingBuffers.ts"
import * as ProjectConfigLive from "../services/project/ProjectConfigLive.ts"
import * as SyncClientLive from "../services/sync/SyncClientLive.ts"

/** The push pipeline, outermost first. */
const pushPipeline = Distill.layer.pipe(
  Layer.provide(Merge.layer),
  Layer.provide(SecretGuard.layer),
  Layer.provide(Push.layer)
)

/** Config and credentials, which only need the disk. */
const settings = Layer.mergeAll(ProjectConfigLive.layer, CredentialsLive.layer).pipe(Layer.provideMerge(localStore))

/** The recorded conversations of a project. Nothing is opened, or made, before it is used. */
const paging = Layer.mergeAll(PagingDatabase.layer, Registry.layer).pipe(
  Layer.provideMerge(Layer.unwrapEffect(Effect.map(Project, ({ root }) => PagingPlace.layer(root))))
)

/**
 * Everything that an operation on a project may need, over the platform (file system, path) and a `Project`: local store,
 * config, sync client, and the push pipeline. The CLI and the MCP server both run their operations on it.
 */
export const projectLayers = Layer.mergeAll(pushPipeline, Drift.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      SyncClientLive.layer.pipe(Layer.provide(HttpClientDriver.layer)),
      PageReads.layer,
      PageSearchLive.layer,
      PendingBuffers.layer,
      Staging.layer,
      paging
    )
  ),
  Layer.provideMerge(settings)
)

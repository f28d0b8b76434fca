import type { FileSystem, Path } from "@effect/platform"
import { Layer } from "effect"
import * as PageStoreLive from "./page/PageStoreLive.ts"
import type { PageStore } from "./page/PageStore.ts"
import type { Project } from "./project/Project.ts"
import type { ProjectLock } from "./project/ProjectLock.ts"
import * as ProjectLockLive from "./project/ProjectLockLive.ts"
import type { SyncState } from "./sync/SyncState.ts"
import * as SyncStateLive from "./sync/SyncStateLive.ts"

/** A project on disk: pages, sync state, and the lock that both share. */
export const localStore: Layer.Layer<
  ProjectLock | PageStore | SyncState,
  never,
  FileSystem.FileSystem | Path.Path | Project
> = Layer.mergeAll(PageStoreLive.layer, SyncStateLive.layer).pipe(Layer.provideMerge(ProjectLockLive.layer))

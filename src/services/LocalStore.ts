import type { FileSystem, Path } from "@effect/platform"
import { Layer } from "effect"
import * as PageStoreLive from "./PageStoreLive.ts"
import type { PageStore } from "./PageStore.ts"
import type { Project } from "./Project.ts"
import type { ProjectLock } from "./ProjectLock.ts"
import * as ProjectLockLive from "./ProjectLockLive.ts"
import type { SyncState } from "./SyncState.ts"
import * as SyncStateLive from "./SyncStateLive.ts"

/** A project on disk: pages, sync state, and the lock that both share. */
export const localStore: Layer.Layer<
  ProjectLock | PageStore | SyncState,
  never,
  FileSystem.FileSystem | Path.Path | Project
> = Layer.mergeAll(PageStoreLive.layer, SyncStateLive.layer).pipe(Layer.provideMerge(ProjectLockLive.layer))

/** What operations need from the world: tags and failures by name, each live layer as `<Service>Live.layer`. */
export { type Credential, Credentials } from "./sync/Credentials.ts"
export * as CredentialsLive from "./sync/CredentialsLive.ts"
export { CorruptFile, FileFailure, LeavesStore } from "./files/FileFailure.ts"
export { GitMissing } from "./git/GitDriver.ts"
export * as HttpClientDriver from "./sync/HttpClientDriver.ts"
export { localStore } from "./LocalStore.ts"
export { lookAlikes } from "./project/LookAlikes.ts"
export { CloneFailed, type CloneLimits, cloneSource } from "./migrate/Clone.ts"
export { CloneInUse } from "./migrate/CloneLock.ts"
export { type PageRead, PageReads } from "./page/PageReads.ts"
export { PageSearch, type SearchFound, type SearchHit, SearchPlace, type SearchQuery } from "./search/PageSearch.ts"
export * as PageSearchLive from "./search/PageSearchLive.ts"
export { type Catalog, type CatalogEntry, PageStore, type Problem, type StoreFailure } from "./page/PageStore.ts"
export type { Captured } from "./capture/CaptureDriver.ts"
export { type PendingBuffer, PendingBuffers, ShownBuffer } from "./capture/PendingBuffers.ts"
export { Progress, progress } from "./runtime/Progress.ts"
export { NotInProject, Project, UntrustedProject } from "./project/Project.ts"
export { ConfigFile, ProjectConfig } from "./project/ProjectConfig.ts"
export * as ProjectConfigLive from "./project/ProjectConfigLive.ts"
export * as ProjectDiscovery from "./project/ProjectDiscovery.ts"
export { LockTimeout, ProjectLock } from "./project/ProjectLock.ts"
export * as ProjectLockLive from "./project/ProjectLockLive.ts"
export * as SyncApi from "./sync/SyncApi.ts"
export {
  ForeignToken,
  NotConfigured,
  ServerRefused,
  ServerUnreachable,
  SyncClient,
  type SyncConnection,
  type SyncFailure,
  Unauthorized,
  UnexpectedAnswer,
  UnknownHistory
} from "./sync/SyncClient.ts"
export * as SyncClientLive from "./sync/SyncClientLive.ts"
export { ClientName, type Remote as ServerAddress, SyncConnect } from "./sync/SyncConnect.ts"
export * as SyncConnectLive from "./sync/SyncConnectLive.ts"
export {
  type AwaitingMerge,
  type Base,
  type Snapshot,
  type StateChange,
  type StateFailure,
  SyncState
} from "./sync/SyncState.ts"
export { folderSource, NoSuchSource, type Source } from "./migrate/Source.ts"
export { AlreadyStaged, Staging } from "./migrate/Staging.ts"
export { PagingDatabase, PagingFailure } from "./paging/PagingDatabase.ts"
export { PagingSession } from "./paging/PagingDefaults.ts"
export { PagingPlace } from "./paging/PagingPlace.ts"
export { Registry as PagingRegistry } from "./paging/Registry.ts"
export { Redactor } from "./secrets/Redactor.ts"
export { ChangeSignal } from "./server/ChangeSignal.ts"
export { CurrentUser } from "./sync/CurrentUser.ts"
export { RateLimit } from "./server/RateLimit.ts"
export { SecureRandom } from "./server/SecureRandom.ts"
export { ServerStore, StoreUnavailable } from "./server/ServerStore.ts"
export * as ServerStoreSqlite from "./server/ServerStoreSqlite.ts"

/** What operations need from the world: tags and failures by name, each live layer as `<Service>Live.layer`. */
export { type Credential, Credentials } from "./Credentials.ts"
export * as CredentialsLive from "./CredentialsLive.ts"
export { CorruptFile, FileFailure, LeavesStore } from "./FileFailure.ts"
export { GitMissing } from "./git/GitDriver.ts"
export * as HttpClientDriver from "./HttpClientDriver.ts"
export { localStore } from "./LocalStore.ts"
export { lookAlikes } from "./LookAlikes.ts"
export { CloneFailed, type CloneLimits, cloneSource } from "./migrate/Clone.ts"
export { CloneInUse } from "./migrate/CloneLock.ts"
export { type PageRead, PageReads } from "./PageReads.ts"
export { PageSearch, type SearchFound, type SearchHit, SearchPlace, type SearchQuery } from "./PageSearch.ts"
export * as PageSearchLive from "./PageSearchLive.ts"
export { type Catalog, type CatalogEntry, PageStore, type Problem, type StoreFailure } from "./PageStore.ts"
export type { Captured } from "./capture/CaptureDriver.ts"
export { type PendingBuffer, PendingBuffers, ShownBuffer } from "./PendingBuffers.ts"
export { Progress, progress } from "./Progress.ts"
export { NotInProject, Project, UntrustedProject } from "./Project.ts"
export { ConfigFile, ProjectConfig } from "./ProjectConfig.ts"
export * as ProjectConfigLive from "./ProjectConfigLive.ts"
export * as ProjectDiscovery from "./ProjectDiscovery.ts"
export { LockTimeout, ProjectLock } from "./ProjectLock.ts"
export * as ProjectLockLive from "./ProjectLockLive.ts"
export * as SyncApi from "./SyncApi.ts"
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
} from "./SyncClient.ts"
export * as SyncClientLive from "./SyncClientLive.ts"
export { ClientName, type Remote as ServerAddress, SyncConnect } from "./SyncConnect.ts"
export * as SyncConnectLive from "./SyncConnectLive.ts"
export {
  type AwaitingMerge,
  type Base,
  type Snapshot,
  type StateChange,
  type StateFailure,
  SyncState
} from "./SyncState.ts"
export { folderSource, NoSuchSource, type Source } from "./migrate/Source.ts"
export { AlreadyStaged, Staging } from "./migrate/Staging.ts"
export { PagingDatabase, PagingFailure } from "./paging/PagingDatabase.ts"
export { PagingSession } from "./paging/PagingDefaults.ts"
export { PagingPlace } from "./paging/PagingPlace.ts"
export { Registry as PagingRegistry } from "./paging/Registry.ts"
export { Redactor } from "./Redactor.ts"
export { ChangeSignal } from "./server/ChangeSignal.ts"
export { CurrentUser } from "./server/CurrentUser.ts"
export { RateLimit } from "./server/RateLimit.ts"
export { SecureRandom } from "./server/SecureRandom.ts"
export { ServerStore, StoreUnavailable } from "./server/ServerStore.ts"
export * as ServerStoreSqlite from "./server/ServerStoreSqlite.ts"

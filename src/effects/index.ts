/** The operations: one typed effect each. A layer of the push pipeline is `<Name>.layer`. */
export { type AuthStatus, authStatus } from "./sync/authStatus.ts"
export { capture } from "./capture/capture.ts"
export { CaseTwin } from "./sync/CaseTwin.ts"
export {
  captureSession,
  EmptyBuffer,
  InvalidSessionId,
  NoBuffer,
  NoRecentBuffer,
  readSession
} from "./capture/captureSession.ts"
export { type DeletedPage, deletePage, type DeleteOptions } from "./page/deletePage.ts"
export { diff, diffLocal } from "./history/diff.ts"
export {
  type Diagnosis,
  doctor,
  type DoctorOptions,
  doctorServerData,
  type Finding,
  repair,
  type Repaired
} from "./doctor/doctor.ts"
export * as Distill from "./capture/Distill.ts"
export { SourcePageMissing, SourceSlugRequired } from "./sync/DistillErrors.ts"
export { Drift } from "./sync/Drift.ts"
export { evolution, type EvolutionOptions } from "./history/evolution.ts"
export {
  AmbiguousSlug,
  checkSlug,
  findPage,
  findPages,
  findServerPage,
  InvalidSlug,
  PageNotFound
} from "./page/findPage.ts"
export {
  archivePages,
  exportArchive,
  type Exported,
  type ExportFilter,
  ExportIntoStore,
  exportPages
} from "./page/exportPages.ts"
export type { Followed } from "./sync/followServer.ts"
export { history } from "./history/history.ts"
export { ImportCutShort, type Imported, type ImportOptions, importPages, InvalidArchive } from "./page/importPages.ts"
export { init, type InitOptions, InsideProject } from "./agents/init.ts"
export { describeStep, initLines, type InitReport, InitStep } from "./agents/InitReport.ts"
export { InviteKeyGiven, type LoggedIn, login, type LoginOptions, NoToken } from "./sync/login.ts"
export * as Merge from "./sync/Merge.ts"
export { discover, type Discovery } from "./migrate/discover.ts"
export {
  discoverIn,
  finishMigration,
  InvalidSelection,
  migrate,
  MigrateDone,
  type MigrateOptions,
  NothingFound,
  stageMigration
} from "./migrate/migrate.ts"
export * as paging from "./paging/index.ts"
export { type KeptPage, pull, type PullOptions, PullOutcome } from "./sync/pull.ts"
export { purge, type Purged, type PurgeOptions } from "./history/purge.ts"
export * from "./sync/Push.ts"
export { type PreviewedPage, pushPreview, type PushPreview } from "./sync/pushPreview.ts"
export { IndexMissing, readIndex } from "./page/readIndex.ts"
export { type FramedPage, readPage, readPageFramed } from "./page/readPage.ts"
export { type Remote, remoteGet, remoteSet, remoteSetRepo, share } from "./sync/remote.ts"
export { SecretInMessage } from "./capture/refuseSecret.ts"
export { type RenamedPage, renamePage, type RenameOptions } from "./page/renamePage.ts"
export { createRepo, listRepos } from "./sync/repo.ts"
export { InvalidRepoId } from "./sync/repoId.ts"
export { type LocalStatus, localStatus, type ServerStatus, serverStatus, statusText } from "./sync/status.ts"
export { revert, type Reverted, type RevertOptions } from "./history/revert.ts"
export * as SecretGuard from "./capture/SecretGuard.ts"
export { InvalidCursor, search, type SearchOptions, type SearchResults } from "./page/search.ts"
export * from "./sync/serverEdits.ts"
export { timeline } from "./history/timeline.ts"
export { watchServer } from "./sync/watchServer.ts"
export {
  ChangedSinceRead,
  NulInPage,
  ReadInPart,
  UnportableSlug,
  WritePage,
  writePage,
  type Written
} from "./page/writePage.ts"

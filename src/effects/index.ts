/** The operations: one typed effect each. A layer of the push pipeline is `<Name>.layer`. */
export { type AuthStatus, authStatus } from "./authStatus.ts"
export { capture } from "./capture.ts"
export { CaseTwin } from "./CaseTwin.ts"
export {
  captureSession,
  EmptyBuffer,
  InvalidSessionId,
  NoBuffer,
  NoRecentBuffer,
  readSession
} from "./captureSession.ts"
export { type DeletedPage, deletePage, type DeleteOptions } from "./deletePage.ts"
export { diff, diffLocal } from "./diff.ts"
export {
  type Diagnosis,
  doctor,
  type DoctorOptions,
  doctorServerData,
  type Finding,
  repair,
  type Repaired
} from "./doctor.ts"
export * as Distill from "./Distill.ts"
export { SourcePageMissing, SourceSlugRequired } from "./DistillErrors.ts"
export { Drift } from "./Drift.ts"
export { evolution, type EvolutionOptions } from "./evolution.ts"
export { AmbiguousSlug, checkSlug, findPage, findPages, findServerPage, InvalidSlug, PageNotFound } from "./findPage.ts"
export {
  archivePages,
  exportArchive,
  type Exported,
  type ExportFilter,
  ExportIntoStore,
  exportPages
} from "./exportPages.ts"
export type { Followed } from "./followServer.ts"
export { history } from "./history.ts"
export { ImportCutShort, type Imported, type ImportOptions, importPages, InvalidArchive } from "./importPages.ts"
export { init, type InitOptions, InsideProject } from "./init.ts"
export { describeStep, initLines, type InitReport, InitStep } from "./InitReport.ts"
export { InviteKeyGiven, type LoggedIn, login, type LoginOptions, NoToken } from "./login.ts"
export * as Merge from "./Merge.ts"
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
export { type KeptPage, pull, type PullOptions, PullOutcome } from "./pull.ts"
export { purge, type Purged, type PurgeOptions } from "./purge.ts"
export * from "./Push.ts"
export { type PreviewedPage, pushPreview, type PushPreview } from "./pushPreview.ts"
export { IndexMissing, readIndex } from "./readIndex.ts"
export { type FramedPage, readPage, readPageFramed } from "./readPage.ts"
export { type Remote, remoteGet, remoteSet, remoteSetRepo, share } from "./remote.ts"
export { SecretInMessage } from "./refuseSecret.ts"
export { type RenamedPage, renamePage, type RenameOptions } from "./renamePage.ts"
export { createRepo, listRepos } from "./repo.ts"
export { InvalidRepoId } from "./repoId.ts"
export { type LocalStatus, localStatus, type ServerStatus, serverStatus, statusText } from "./status.ts"
export { revert, type Reverted, type RevertOptions } from "./revert.ts"
export * as SecretGuard from "./SecretGuard.ts"
export { InvalidCursor, search, type SearchOptions, type SearchResults } from "./search.ts"
export * from "./serverEdits.ts"
export { timeline } from "./timeline.ts"
export { watchServer } from "./watchServer.ts"
export {
  ChangedSinceRead,
  NulInPage,
  ReadInPart,
  UnportableSlug,
  WritePage,
  writePage,
  type Written
} from "./writePage.ts"

/** Context paging, for programs: `import { paging } from "ctx-mcp"`. */
export { around, type Around } from "./around.ts"
export { check, type Checked } from "./check.ts"
export { cleanup, type CleanupOptions } from "./cleanup.ts"
export * from "./errors.ts"
export {
  declineInstall,
  type InstallOptions,
  installPaging,
  type InstallState,
  installState,
  RoundTripFailed,
  uninstallPaging,
  type Wired
} from "./install.ts"
export { listMessages, type ListMessagesOptions, type MessageListing } from "./listMessages.ts"
export { listPages, type ListPagesOptions, type PageListing } from "./listPages.ts"
export { addMessage, forgetMessage, type Message } from "./messages.ts"
export {
  deletePage,
  type KeptPage,
  listTopics,
  pageIn,
  pageOut,
  type PageOutOptions,
  tagPage,
  topic,
  updatePage
} from "./pages.ts"
export { type Count, type Reference, search, type SearchOptions, type SearchResults } from "./search.ts"
export { deleteSession, endSession, listSessions, type Session, startSession } from "./sessions.ts"
export { initialise, stats } from "./stats.ts"
export { subscribe, subscribed, unsubscribe } from "./subscription.ts"
export { sweepAll, SweepFailed } from "./sweep.ts"
export { exportAll, importAll, type Imported, InvalidRecord } from "./transfer.ts"

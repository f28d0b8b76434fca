import { Context, type Effect, type Option } from "effect"
import type { PagePath } from "../../model/page/PagePath.ts"
import type { Sha } from "../../model/page/Sha.ts"
import type { CorruptFile, FileFailure } from "../files/FileFailure.ts"
import type { LockTimeout } from "../project/ProjectLock.ts"

export type StateFailure = CorruptFile | FileFailure | LockTimeout

/** The content last known equal to the server's, and the sha it belongs to. */
export interface Base {
  readonly sha: Sha
  readonly text: string
}

/**
 * A page whose push was rejected and that nobody has merged yet. While it stands, a push answers the directive again.
 * The base has already been moved to the server's version, so the true ancestor is kept here.
 */
export interface AwaitingMerge {
  /** None: both sides created the page. */
  readonly ancestor: Option.Option<Base>
  /** None: the server deleted the page. */
  readonly server: Option.Option<Base>
  /** SHA-256 (hex) of the local file when the directive was shown; other bytes on disk mean that it was merged. */
  readonly mineHash: string
}

/** What this clone last knew of the server. */
export interface Snapshot {
  readonly lastPull: Option.Option<Sha>
  /** The newest head that any answer named, pushes included: if the server no longer knows it, its history was replaced. */
  readonly lastHead: Option.Option<Sha>
  /** `page_shas` of `state.json`: absent means never pushed and never pulled. */
  readonly recorded: ReadonlyMap<PagePath, Sha>
  /** Sha and content hash (SHA-256 hex) of every base. A base counts only where its sha is the recorded one. */
  readonly bases: ReadonlyMap<PagePath, { readonly sha: Sha; readonly hash: string }>
  readonly awaiting: ReadonlyMap<PagePath, AwaitingMerge>
  /**
   * Hashes of what uploads sent whose answers never came. Where the server turns out to have one of them, it is our own
   * write that landed, and not somebody else's.
   */
  readonly sent: ReadonlyMap<PagePath, ReadonlySet<string>>
}

/** What an operation learned. Everything in one call is applied together, in the order known, forget, await, settle, sent. */
export interface StateChange {
  readonly lastPull?: Sha
  readonly lastHead?: Sha
  /**
   * Sets sha and base together. Where the sha moves, what was sent before is settled: it stood on the old one, and cannot
   * land any more.
   */
  readonly known?: ReadonlyArray<{ readonly path: PagePath; readonly base: Base }>
  /** Forgets sha, base and mark. */
  readonly forget?: ReadonlyArray<PagePath>
  readonly await?: ReadonlyArray<{ readonly path: PagePath; readonly mark: AwaitingMerge }>
  readonly settle?: ReadonlyArray<PagePath>
  /** Noted before an upload; SHA-256, hex. */
  readonly sent?: ReadonlyArray<{ readonly path: PagePath; readonly hash: string }>
}

/**
 * `.contexo/.sync/state.json` in the reference's shape, and `.contexo/.sync/bases.db` beside it (bases, marks, last head).
 * The bases are written first, together with where each record is going, and `state.json` after. A crash between loses
 * nothing: what it kept from `state.json` counts where that still says what it said then. A mark that nobody was shown does not.
 */
export class SyncState extends Context.Tag("ctx-mcp/SyncState")<
  SyncState,
  {
    /** `state.json` alone, without opening the bases: for status lines. */
    readonly recorded: Effect.Effect<Pick<Snapshot, "lastPull" | "recorded">, CorruptFile | FileFailure>
    readonly snapshot: Effect.Effect<Snapshot, StateFailure>
    /** The base of a page, where it belongs to the recorded sha. */
    readonly base: (path: PagePath) => Effect.Effect<Option.Option<Base>, StateFailure>
    readonly awaiting: Effect.Effect<ReadonlyMap<PagePath, AwaitingMerge>, StateFailure>
    /** Applies a change under the project lock, on top of what the files hold by then. */
    readonly apply: (change: StateChange) => Effect.Effect<void, StateFailure>
    /** Writes down in `state.json` what a crash kept from it. Nothing, and no lock, where there is nothing of the kind. */
    readonly catchUp: Effect.Effect<void, StateFailure>
  }
>() {}

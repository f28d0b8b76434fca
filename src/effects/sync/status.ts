import { Effect, Option } from "effect"
import { unseenIn } from "../../model/page/Unseen.ts"
import { type PagePath, parsePagePath } from "../../model/page/PagePath.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { type Sha, short8 } from "../../model/page/Sha.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { type Catalog, PageStore, type Problem } from "../../services/page/PageStore.ts"
import { PendingBuffers } from "../../services/capture/PendingBuffers.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectConfig } from "../../services/project/ProjectConfig.ts"
import type { Change } from "../../services/sync/SyncApi.ts"
import { SyncClient } from "../../services/sync/SyncClient.ts"
import { type Snapshot, SyncState } from "../../services/sync/SyncState.ts"
import { isMissing } from "./serverEdits.ts"

/** What this project is wired up to, and what it has not shared. Local files only. */
export interface LocalStatus {
  readonly root: string
  readonly server: Option.Option<string>
  readonly repo: Option.Option<string>
  readonly authKind: Option.Option<string>
  readonly user: Option.Option<{ readonly name: string; readonly email: string }>
  readonly localPages: number
  readonly lastPull: Option.Option<Sha>
  readonly neverPushed: ReadonlyArray<PagePath>
  readonly awaitingMerge: ReadonlyArray<PagePath>
  readonly pendingBuffers: number
  /** Malformed pages and broken files of ours. */
  readonly problems: ReadonlyArray<Problem>
}

/** Where the server stands. `Unknown` says why it could not be asked. */
export type ServerStatus =
  | { readonly _tag: "Unknown"; readonly reason: string }
  | {
      readonly _tag: "Known"
      readonly drifted: ReadonlyArray<{ readonly path: PagePath; readonly local: Sha; readonly server: Sha }>
      /** Commits since the last pull that brought what is not here; None where the server no longer knows that pull. */
      readonly behind: Option.Option<number>
    }

const noPages: Catalog = { entries: new Map(), problems: [] }
const nothingRecorded: Pick<Snapshot, "lastPull" | "recorded"> = { lastPull: Option.none(), recorded: new Map() }

/**
 * The local half of a status report. It has no error path: what cannot be read is its placeholder, and a problem.
 *
 * Source: ctx-status.md.
 */
export const localStatus = Effect.fn("localStatus")(function* () {
  const problems: Array<Problem> = []
  const orProblem = <A, E extends { readonly message: string }, R>(
    file: string,
    effect: Effect.Effect<A, E, R>,
    placeholder: A
  ) =>
    Effect.catchAll(effect, (failure) =>
      Effect.sync(() => {
        problems.push({ path: file, reason: failure.message })
        return placeholder
      })
    )
  const { root } = yield* Project
  const config = yield* orProblem("config.json", (yield* ProjectConfig).read, { version: 1 })
  const credential = yield* orProblem("credentials.json", (yield* Credentials).read, Option.none())
  const state = yield* SyncState
  const { lastPull, recorded } = yield* orProblem(".sync/state.json", state.recorded, nothingRecorded)
  const catalog = yield* orProblem("wiki", (yield* PageStore).catalog, noPages)
  const awaiting = yield* orProblem(".sync/bases.db", state.awaiting, new Map())
  const pendingBuffers = yield* orProblem("raw/sessions/_pending", (yield* PendingBuffers).count, 0)
  return {
    root,
    server: nonEmpty(config.server_url),
    repo: nonEmpty(config.repo_id),
    authKind: Option.map(credential, ({ kind }) => kind),
    user: Option.flatMap(credential, ({ userName, userEmail }) =>
      Option.map(nonEmpty(userName), (name) => ({ name, email: userEmail ?? "" }))
    ),
    localPages: catalog.entries.size,
    lastPull,
    neverPushed: [...catalog.entries.keys()].filter((path) => !recorded.has(path)),
    awaitingMerge: [...awaiting]
      .filter(([path, mark]) => catalog.entries.get(path)?.hash === mark.mineHash)
      .map(([path]) => path),
    pendingBuffers,
    problems: [...catalog.problems, ...problems]
  } satisfies LocalStatus
})

/** The eight lines of `ctx_status`. Source: ctx-status.md, Response. */
export const statusText = (status: LocalStatus): string =>
  [
    `Server: ${oneLine(status.server, "(none)")}`,
    `Repo: ${oneLine(status.repo, "(none)")}`,
    `User: ${Option.match(status.user, {
      onNone: () => "(anonymous)",
      onSome: ({ email, name }) => `${forAgentLine(name)} <${forAgentLine(email)}>`
    })}`,
    `Authenticated: ${Option.isSome(status.authKind)}`,
    `Local pages: ${status.localPages}`,
    `Last pull: ${Option.match(status.lastPull, { onNone: () => "(never)", onSome: short8 })}`,
    `Never-pushed pages: ${status.neverPushed.length}`,
    `Pending capture buffers: ${status.pendingBuffers}`
  ].join("\n")

/**
 * The server's half: which tracked pages moved, and how many commits brought what is not here. What was pushed from here is
 * not behind, although a push leaves the last pull where it is. Source: ctx-status.md, CLI equivalent; design.md section 12.
 */
export const serverStatus = Effect.fn("serverStatus")(
  function* () {
    const client = yield* SyncClient
    const { lastPull, recorded } = yield* (yield* SyncState).recorded
    const [pages, behind] = yield* Effect.all([client.pages, commitsBehind(lastPull, recorded)], { concurrency: 2 })
    const drifted = pages.flatMap(({ path, sha }) =>
      Option.match(parsePagePath(path), {
        onNone: () => [],
        onSome: (page) => {
          const local = recorded.get(page)
          return local === undefined || local === sha ? [] : [{ path: page, local, server: sha }]
        }
      })
    )
    return { _tag: "Known", drifted, behind } satisfies ServerStatus
  },
  Effect.catchAll((failure) =>
    Effect.succeed<ServerStatus>({ _tag: "Unknown", reason: forAgentLine(failure.message) })
  ),
  Effect.map((status): ServerStatus => status)
)

/** In one answer, and on a public server altogether. */
const mostCommits = 500
/** So many answers are asked for: further behind is not counted. */
const mostAnswers = 4

const commitsBehind = Effect.fnUntraced(function* (lastPull: Option.Option<Sha>, recorded: Snapshot["recorded"]) {
  const client = yield* SyncClient
  const feed = Effect.gen(function* () {
    const commits: Array<Change> = []
    let since: string = Option.getOrElse(lastPull, () => "0")
    for (let answers = 0; answers < mostAnswers; answers++) {
      const answer = yield* client.changes({ since, limit: mostCommits })
      commits.push(...answer.commits)
      since = answer.next_since
      if (!answer.more) break
    }
    return Option.some(unseenIn(commits, recorded).length)
  })
  /** A public server does not say what a commit touched. Of ours it knows those that are still a page's last version. */
  const timeline = Effect.map(client.timeline(mostCommits), (commits) => {
    const known = new Set<Sha>(recorded.values())
    const end = Option.match(lastPull, {
      onNone: () => commits.length,
      onSome: (last) => commits.findIndex(({ sha }) => sha === last)
    })
    return end < 0 ? Option.none() : Option.some(commits.slice(0, end).filter(({ sha }) => !known.has(sha)).length)
  })
  return yield* feed.pipe(
    Effect.catchTag("UnknownHistory", () => Effect.succeedNone),
    Effect.catchIf(isMissing, () => timeline)
  )
})

const nonEmpty = (text: string | undefined) => Option.filter(Option.fromNullable(text), (one) => one !== "")

const oneLine = (text: Option.Option<string>, placeholder: string) =>
  Option.match(text, { onNone: () => placeholder, onSome: forAgentLine })

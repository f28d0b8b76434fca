import { Clock, DateTime, Duration, Effect, Layer, Option } from "effect"
import { PushPaused } from "../../directives/PushPaused.ts"
import { sha256 } from "../../model/text/Hash.ts"
import { parsePage } from "../../model/page/Page.ts"
import { addSource } from "../../model/page/PageEdit.ts"
import { pagePath, type PagePath, slugOf } from "../../model/page/PagePath.ts"
import { planPush } from "../../model/sync/PushPlan.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { isSlug, Slug } from "../../model/page/Slug.ts"
import { environment } from "../../services/runtime/Environment.ts"
import { PageReads } from "../../services/page/PageReads.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { PendingBuffers } from "../../services/capture/PendingBuffers.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { loadSecrets } from "../../services/secrets/SecretScanDriver.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { SourcePageMissing, SourceSlugRequired } from "../sync/DistillErrors.ts"
import { type BatchPage, Push, PushOutcome, type PushRequest } from "../sync/Push.ts"
import { recentBuffers, redactedTurns, type SessionBuffer } from "./sessionBuffers.ts"

/** A session that nobody added to for longer is not what a push is about. */
const recent = Duration.hours(6)

/**
 * Keeps knowledge from being shared without the reasoning behind it.
 *
 * - A push with a concept or an analysis in its batch pauses while a session of the last six hours has turns that nobody
 *   distilled: nothing is sent, and the answer is `PUSH_PAUSED` with those turns. `options.noDistill`, or
 *   `CONTEXO_DISTILL_DISABLE=1`, pushes without.
 * - `options.distillDone` with `sourceSlug` ends the pause: the source page is there, every concept and analysis of the batch
 *   cites it, the turns that were shown go to the archive, and everything travels as one commit. What fails after that loses
 *   nothing, and does not pause again. Turns that came after the pause stay pending.
 *
 * Errors: `SourceSlugRequired`, `SourcePageMissing`, `MalformedPage` where the source page is none. Nothing was changed then.
 *
 * Source: agent-directives.md, PUSH_PAUSED; reference.md 2.2; design.md section 5.
 */
export const layer = Layer.effect(
  Push,
  Effect.gen(function* () {
    const below = yield* Push
    const store = yield* PageStore
    const state = yield* SyncState
    const reads = yield* PageReads
    const lock = yield* ProjectLock
    const buffers = yield* PendingBuffers
    const recentTurns = Effect.provideService(recentBuffers(recent), PendingBuffers, buffers).pipe(
      Effect.map((found) => found.flatMap((one) => Option.toArray(lastTurn(one))))
    )

    /** A name that no page has: the trail of an earlier session of the day stays. */
    const freeSlug = Effect.fnUntraced(function* (wanted: string) {
      for (let n = 1; ; n++) {
        const slug = Slug.make(n === 1 ? wanted : `${wanted}-${n}`)
        if (Option.isNone(yield* store.find(pagePath("source", slug)))) return slug
      }
    })

    const pause = Effect.fnUntraced(function* (batch: ReadonlyArray<BatchPage>, first: PagePath, shown: LastTurn) {
      const { redact } = yield* loadSecrets
      const date = (yield* now).slice(0, 10)
      const slug = yield* freeSlug(`${date}-${slugOf(first).slice(0, 160)}-reasoning`)
      const directive = new PushPaused({
        suggestedSlug: slug,
        tags: batch.flatMap(({ tags }) => tags.map(redact)),
        pages: batch.map(({ path, type }) => ({ path, type })),
        buffer: yield* redactedTurns(shown.turns)
      })
      yield* buffers.note({ session: shown.session, turn: shown.turn, slug })
      return PushOutcome.PushPaused({ directive })
    })

    /** The page with one more source, as it stands on disk by then. */
    const cite = Effect.fnUntraced(function* (page: BatchPage, source: Slug, at: string) {
      const local = yield* store.read(page.path)
      if (Option.isNone(local)) return page
      const text = yield* addSource(page.path, local.value, source, at)
      if (text === local.value) return { ...page, text }
      yield* store.write(page.path, text)
      // Whoever read the page before knows what is new in it: this, and nothing that a later write could undo.
      const read = yield* reads.last(page.path)
      if (Option.exists(read, (one) => one.complete && one.text === local.value)) yield* reads.saw(page.path, text)
      return { ...page, text }
    })

    /** The source page, where it is not on the server as it is here. */
    const sourcePage = Effect.fnUntraced(function* (path: PagePath, text: string) {
      const { tags } = yield* parsePage(path, text)
      const { bases, recorded } = yield* state.snapshot
      const step = planPush({
        hash: sha256(text),
        recorded: Option.fromNullable(recorded.get(path)),
        base: Option.fromNullable(bases.get(path))
      })
      return step._tag === "Same" ? [] : [{ path, type: "source", tags, text, parent: step.parent } satisfies BatchPage]
    })

    /**
     * Archives what was shown: for this source page, else the last that was shown and is not distilled. Where that was done
     * already (an earlier try, whose push failed), nothing; where nothing was shown, the newest session.
     */
    const archive = Effect.fnUntraced(function* (source: Slug) {
      const shown = yield* buffers.shown
      const open = shown.filter(({ distilled }) => distilled === undefined)
      const again = shown.some(({ distilled }) => distilled === source)
      const meant = open.findLast(({ slug }) => slug === source) ?? (again ? undefined : open.at(-1))
      if (meant !== undefined) {
        yield* buffers.archive(meant.session, meant.turn)
        return yield* buffers.note({ ...meant, distilled: source })
      }
      const [newest] = again ? [] : yield* recentTurns
      if (newest === undefined) return
      yield* buffers.archive(newest.session, newest.turn)
      yield* buffers.note({ session: newest.session, turn: newest.turn, slug: source, distilled: source })
    })

    /** Whether a page of the batch waits for a merge: it stays as it was rejected, and `Merge.layer` answers for it. */
    const awaitsMerge = (batch: ReadonlyArray<BatchPage>) =>
      Effect.map(state.awaiting, (marks) => batch.some(({ path, text }) => marks.get(path)?.mineHash === sha256(text)))

    const finish = Effect.fnUntraced(function* ({ batch, options }: PushRequest, { path, text }: Source) {
      const source = yield* sourcePage(path, text)
      const at = yield* now
      return yield* lock.run(
        Effect.gen(function* () {
          const cited = yield* Effect.forEach(batch, (page) =>
            isDistilled(page) ? cite(page, slugOf(path), at) : Effect.succeed(page)
          )
          if (cited.some((page, n) => page.text !== batch[n]?.text)) yield* store.regenerateIndexes
          yield* archive(slugOf(path))
          return { batch: [...cited.filter((page) => page.path !== path), ...source], options }
        })
      )
    })

    return {
      run: Effect.fn("Push.distill")(function* (request: PushRequest) {
        const { batch, options } = request
        const marked = options.acceptMine !== true && (yield* awaitsMerge(batch))
        if (options.distillDone === true) {
          const source = yield* findSource(store, options.sourceSlug ?? "")
          return yield* below.run(marked ? request : yield* finish(request, source))
        }
        if (marked) return yield* below.run(request)
        const first = batch.find(isDistilled)
        if (first === undefined || options.noDistill === true || (yield* isDisabled)) return yield* below.run(request)
        const [newest] = yield* recentTurns
        return newest === undefined ? yield* below.run(request) : yield* pause(batch, first.path, newest)
      })
    }
  })
)

interface LastTurn extends Omit<SessionBuffer, "last"> {
  readonly turn: number
}

const lastTurn = ({ last, session, turns }: SessionBuffer): Option.Option<LastTurn> =>
  Option.map(last, (turn) => ({ session, turns, turn }))

const isDistilled = ({ type }: BatchPage) => type === "concept" || type === "analysis"

const isDisabled = Effect.map(environment("CONTEXO_DISTILL_DISABLE"), Option.contains("1"))

/** RFC 3339, UTC. */
const now = Effect.map(Clock.currentTimeMillis, (millis) => DateTime.formatIso(DateTime.unsafeMake(millis)))

interface Source {
  readonly path: PagePath
  readonly text: string
}

/** The source page that a slug means, and its text. */
const findSource = Effect.fnUntraced(function* (store: PageStore["Type"], given: string) {
  const slug = given.trim()
  if (slug === "") return yield* new SourceSlugRequired()
  const missing = new SourcePageMissing({ slug: forAgentLine(slug) })
  if (!isSlug(slug)) return yield* missing
  const path = yield* store.find(pagePath("source", Slug.make(slug)))
  const text = Option.isSome(path) ? yield* store.read(path.value) : Option.none()
  return Option.isSome(path) && Option.isSome(text) ? { path: path.value, text: text.value } : yield* missing
})

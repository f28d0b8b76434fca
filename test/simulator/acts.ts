import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Cause, Effect, Exit, Option } from "effect"
import { pull } from "../../src/effects/sync/pull.ts"
import { push, type PushOptions } from "../../src/effects/sync/Push.ts"
import { writePage, type WritePage } from "../../src/effects/page/writePage.ts"
import { type PagePath, slugOf, typeOf } from "../../src/model/page/PagePath.ts"
import type { Sha } from "../../src/model/page/Sha.ts"
import { PageReads } from "../../src/services/page/PageReads.ts"
import { SyncClient } from "../../src/services/sync/SyncClient.ts"
import { type Clone, pagesOn, type Process } from "./Clone.ts"
import { awaiting } from "./inspect.ts"
import type { Ledger } from "./Ledger.ts"
import { markersIn, without } from "./texts.ts"

/** What users do on a clone, each with what it means for the ledger. An act says in a few words what came of it. */
export interface Acting {
  readonly clone: Clone
  readonly process: Process
  readonly ledger: Ledger
}

/** How an operation ended, in a word. `bad`: in a way that nothing excuses. */
export interface Ended {
  readonly word: string
  /** A failure's tag; undefined where it succeeded or died. */
  readonly failure?: string | undefined
  readonly defect?: string | undefined
}

export const ended = <A, E extends { readonly _tag: string; readonly message: string }>(
  outcome: Option.Option<Exit.Exit<A, E>>,
  word: (value: A) => string
): Ended =>
  Option.match(outcome, {
    onNone: () => ({ word: "killed" }),
    onSome: Exit.match({
      onSuccess: (value) => ({ word: word(value) }),
      onFailure: (cause) => {
        const [failure] = [...Cause.failures(cause)]
        return failure === undefined || Cause.isDie(cause)
          ? { word: "defect", defect: Cause.pretty(cause) }
          : { word: `${failure._tag} (${failure.message})`, failure: failure._tag }
      }
    })
  })

/** Reads a page as its user does before a change: the process remembers what it showed. */
export const read = Effect.fnUntraced(function* ({ clone, process }: Acting, path: PagePath) {
  const text = pagesOn(clone).get(path)
  if (text === undefined) {
    process.seen.delete(path)
    return undefined
  }
  process.seen.set(path, text)
  yield* process.as(Effect.flatMap(PageReads, (reads) => reads.saw(path, text)))
  return text
})

/** Writes a page as an agent does. `expected`: the markers that the writer means to be there. */
export const write = Effect.fnUntraced(function* (
  { clone, ledger, process }: Acting,
  path: PagePath,
  page: Pick<WritePage, "body" | "tags" | "reasoning_summary" | "agent" | "author">,
  expected: ReadonlySet<string>
) {
  const before = pagesOn(clone).get(path)
  const marks = awaiting(clone)
  const seen = process.seen.get(path) ?? before
  const outcome = yield* process.as(writePage({ slug: slugOf(path), type: typeOf(path), ...page }))
  const after = pagesOn(clone).get(path)
  if (Option.exists(outcome, Exit.isSuccess) || after !== before) merged(clone, ledger, path, marks, expected)
  if (after !== undefined && after !== before) {
    const added = without(markersIn(after), markersIn(before))
    ledger.wrote(clone.name, path, added, without(markersIn(seen), expected))
    process.seen.set(path, after)
  }
  const end = ended(outcome, ({ merged }) => (merged ? "merged" : "written"))
  const missing = without(expected, markersIn(after))
  return end.word === "written" && missing.length > 0
    ? { ...end, defect: `a write of ${path} was acknowledged without ${missing.join(", ")}` }
    : end
})

/** Whatever a user writes after a directive is the merge: what of the server's is not in it was left out on purpose. */
const merged = (
  clone: Clone,
  ledger: Ledger,
  path: PagePath,
  marks: ReturnType<typeof awaiting>,
  result: ReadonlySet<string>
) => {
  const theirs = Option.getOrUndefined(Option.flatten(Option.fromNullable(marks.get(path))))
  ledger.dropped(clone.name, path, without(markersIn(theirs), result))
}

/** Changes a page's bytes as an editor does. Undefined removes the file. */
export const edit = ({ clone, ledger }: Acting, path: PagePath, after: string | undefined): Ended => {
  const before = pagesOn(clone).get(path)
  merged(clone, ledger, path, awaiting(clone), markersIn(after))
  const file = join(clone.contexo, path)
  if (after === undefined) rmSync(file, { force: true })
  else {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, after)
  }
  ledger.wrote(
    clone.name,
    path,
    without(markersIn(after), markersIn(before)),
    without(markersIn(before), markersIn(after))
  )
  return { word: after === undefined ? "removed" : "edited" }
}

export const share = Effect.fnUntraced(function* ({ clone, ledger, process }: Acting, options: PushOptions) {
  if (options.acceptMine === true) {
    const pages = pagesOn(clone)
    for (const path of awaiting(clone).keys()) merged(clone, ledger, path, awaiting(clone), markersIn(pages.get(path)))
  }
  const outcome = yield* process.as(push({}, { ...options, message: `${clone.name}: push` }))
  if (Option.isSome(outcome) && Exit.isSuccess(outcome.value)) {
    const answer = outcome.value.value.outcome
    if (answer._tag === "Pushed") ledger.acknowledged(clone.name, answer.pages)
    if (answer._tag === "MergeRequired") {
      for (const { page } of answer.conflicts) process.seen.set(page.path, page.text)
    }
  }
  return ended(outcome, (answer) => answer.outcome._tag)
})

export const fetch = Effect.fnUntraced(function* ({ process }: Acting, full: boolean) {
  const outcome = yield* process.as(pull({ full }))
  return ended(outcome, (answer) =>
    answer._tag === "UpToDate"
      ? `up to date${answer.kept.length > 0 ? `, kept ${answer.kept.length}` : ""}`
      : `pulled ${answer.pulled.length}, merged ${answer.merged.length}, deleted ${answer.deleted.length}, kept ${answer.kept.map(({ path, reason }) => `${path} (${reason.slice(0, 40)})`).join("; ")}`
  )
})

/** Deletes a page on the server, for all. */
export const bury = Effect.fnUntraced(function* ({ clone, process }: Acting, path: PagePath, parent: Sha, id: string) {
  const outcome = yield* process.as(
    Effect.flatMap(SyncClient, (client) =>
      client.push({
        push_id: `simulated-${id}`,
        message: `${clone.name}: delete`,
        files: [{ path, deleted: true, parent_sha: parent }]
      })
    )
  )
  return ended(outcome, ({ conflicts }) => ((conflicts ?? []).length > 0 ? "moved meanwhile" : "deleted there"))
})

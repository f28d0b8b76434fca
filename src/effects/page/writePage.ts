import { Clock, DateTime, Effect, Either, Option, Schema } from "effect"
import { type Reference, referencesOf } from "../../model/page/Links.ts"
import { mergePages } from "../../model/merge/Merge.ts"
import { createPage, type PageEdit, updatePage } from "../../model/page/PageEdit.ts"
import { pagePath, type PagePath } from "../../model/page/PagePath.ts"
import { PageType } from "../../model/page/PageType.ts"
import { deneutralise, removeUnsafeKeepingBom } from "../../model/text/Sanitise.ts"
import { isPortable, unportableSlug } from "../../model/page/Slug.ts"
import { Credentials } from "../../services/sync/Credentials.ts"
import { PageReads } from "../../services/page/PageReads.ts"
import { PageStore } from "../../services/page/PageStore.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { SyncState } from "../../services/sync/SyncState.ts"
import { CaseTwin } from "../sync/CaseTwin.ts"
import { deadReferences } from "./deadReferences.ts"
import { checkSlug } from "./findPage.ts"

/** The arguments of `ctx_write_page`; `body` is markdown, with or without a frontmatter block. */
export const WritePage = Schema.Struct({
  slug: Schema.String,
  type: PageType,
  body: Schema.String,
  tags: Schema.optional(Schema.Array(Schema.String)),
  related: Schema.optional(Schema.Array(Schema.String)),
  sources: Schema.optional(Schema.Array(Schema.String)),
  reasoning_summary: Schema.optional(Schema.String),
  author: Schema.optional(Schema.String),
  agent: Schema.optional(Schema.String)
})
export type WritePage = typeof WritePage.Type

/** What was written, and what the writer should know. */
export interface Written {
  readonly path: PagePath
  readonly created: boolean
  /** Somebody else changed the page since this process read it, and their change is in. */
  readonly merged: boolean
  /** Invisible or control characters were dropped (rule 6). */
  readonly cleaned: boolean
  /** What it refers to that is no page here. */
  readonly dead: ReadonlyArray<Reference>
}

/** A name that Windows cannot hold. Nothing was written. */
export class UnportableSlug extends Schema.TaggedError<UnportableSlug>()("UnportableSlug", { slug: Schema.String }) {
  override get message() {
    return unportableSlug(this.slug)
  }
}

/** NUL, which no engine and no tool agrees on. Nothing was written. */
export class NulInPage extends Schema.TaggedError<NulInPage>()("NulInPage", {
  path: Schema.String,
  field: Schema.String
}) {
  override get message() {
    return `${this.path}: ${this.field} holds a NUL character (U+0000). Remove it; nothing was written.`
  }
}

/** The page was read in part only. Nothing was written. */
export class ReadInPart extends Schema.TaggedError<ReadInPart>()("ReadInPart", { path: Schema.String }) {
  override get message() {
    return `${this.path} was read only in part, and a write replaces all of it. Read the rest first (ctx_read_page with offset), then write.`
  }
}

/** Somebody changed the same regions since the page was read. Nothing was written. */
export class ChangedSinceRead extends Schema.TaggedError<ChangedSinceRead>()("ChangedSinceRead", {
  path: Schema.String,
  regions: Schema.Array(Schema.String)
}) {
  override get message() {
    return `${this.path} was changed by somebody else since you read it (${this.regions.join(", ")}). Nothing was written: read it again, then write a version that keeps both.`
  }
}

const defaultAgent = "claude"

/**
 * Creates a page, or replaces the body of one and keeps `created` and every field that was not passed.
 *
 * Undoes the backslash that makes our tags inert in what agents read, and drops the characters of rule 6. Under the project
 * lock: several processes may write at once, and every acknowledged page is on disk and in the index.
 *
 * @example
 * yield* writePage({ slug: "retry-rule", type: "concept", body: "## Decision\nThree times.\n", tags: ["billing"] })
 *
 * Source: reference.md 2.1; design.md section 5.
 */
export const writePage = Effect.fn("writePage")(function* (input: WritePage) {
  const slug = yield* checkSlug(input.slug)
  const path = pagePath(input.type, slug)
  const store = yield* PageStore
  const lock = yield* ProjectLock
  yield* refuseNul(path, input)
  const { body, cleaned } = incoming(input.body)
  const edit: PageEdit = {
    body,
    ...lists(input),
    author: yield* authorOf(input),
    agent: input.agent ?? defaultAgent,
    now: DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
  }
  const written = yield* lock.run(
    Effect.gen(function* () {
      const existing = yield* store.find(path)
      if (Option.isSome(existing) && existing.value !== path) {
        return yield* new CaseTwin({ path, existing: existing.value })
      }
      if (Option.isNone(existing) && !isPortable(slug)) return yield* new UnportableSlug({ slug })
      const current = yield* store.read(path)
      const { text, merged } = yield* compose(path, current, edit)
      yield* store.write(path, text)
      yield* settle(path)
      yield* (yield* PageReads).saw(path, text)
      yield* store.regenerateIndexes
      return { path, text, created: Option.isNone(current), merged }
    })
  )
  const { created, merged, text } = written
  return { path, created, merged, cleaned, dead: yield* deadReferences(referencesOf(text)) } satisfies Written
})

/** The new text: created, or on top of what the writer read, merged with what others wrote since. */
const compose = Effect.fnUntraced(function* (path: PagePath, current: Option.Option<string>, edit: PageEdit) {
  if (Option.isNone(current)) return { text: yield* createPage(path, edit), merged: false }
  const read = yield* (yield* PageReads).last(path)
  if (Option.isSome(read) && !read.value.complete) return yield* new ReadInPart({ path })
  if (Option.isNone(read) || read.value.text === current.value) {
    return { text: yield* updatePage(path, current.value, edit), merged: false }
  }
  const mine = yield* updatePage(path, read.value.text, edit)
  const merge = mergePages(Option.some(read.value.text), mine, current.value)
  if (merge._tag === "Conflict") return yield* new ChangedSinceRead({ path, regions: merge.regions })
  return { text: merge.text, merged: true }
})

/** A page written after a directive is merged: its mark goes. */
const settle = Effect.fnUntraced(function* (path: PagePath) {
  const state = yield* SyncState
  const marks = yield* state.awaiting
  if (marks.has(path)) yield* state.apply({ settle: [path] })
})

const incoming = (body: string) => {
  const undone = deneutralise(body)
  const clean = removeUnsafeKeepingBom(undone)
  return { body: clean, cleaned: clean !== undone }
}

const line = (text: string) => removeUnsafeKeepingBom(deneutralise(text))

const lists = (input: WritePage) => ({
  ...(input.tags === undefined ? {} : { tags: input.tags.map(line) }),
  ...(input.related === undefined ? {} : { related: input.related.map(line) }),
  ...(input.sources === undefined ? {} : { sources: input.sources.map(line) }),
  ...(input.reasoning_summary === undefined ? {} : { reasoningSummary: line(input.reasoning_summary) })
})

const refuseNul = (path: PagePath, input: WritePage) => {
  const field = Object.entries(input).find(([, value]) =>
    typeof value === "string" ? value.includes("\0") : (value ?? []).some((one) => one.includes("\0"))
  )
  return field === undefined ? Effect.void : new NulInPage({ path, field: field[0] })
}

/** Who is named as the author: the argument, else the stored user, else `anonymous`. A broken credentials file names nobody. */
const authorOf = Effect.fnUntraced(function* (input: WritePage) {
  if (input.author !== undefined && input.author.trim() !== "") return line(input.author)
  const credential = yield* Effect.either((yield* Credentials).read)
  return Either.match(credential, {
    onLeft: () => "anonymous",
    onRight: (some) =>
      Option.getOrElse(
        Option.flatMap(some, ({ userName }) => Option.fromNullable(userName)),
        () => "anonymous"
      )
  })
})

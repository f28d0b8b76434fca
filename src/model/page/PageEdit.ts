import { Either, Option } from "effect"
import { splitPage } from "../frontmatter/Frontmatter.ts"
import { editFields, type FieldEdit, sourceOf } from "../frontmatter/FrontmatterEdit.ts"
import { fieldsOf, type FieldValue, parseEntries } from "../frontmatter/FrontmatterEntries.ts"
import {
  fenceReason,
  invalidIdentity,
  listOf,
  MalformedPage,
  nulReason,
  pageSchema,
  textOf,
  yamlReason
} from "./Page.ts"
import { type PagePath, slugOf, typeOf } from "./PagePath.ts"

/** What a caller wants a page to say. What is left out stays as it is; an empty list or summary takes the field away. */
export interface PageEdit {
  /** Markdown. A frontmatter block at its start is merged into the page's own, where the fields below do not say else. */
  readonly body: string
  readonly tags?: ReadonlyArray<string>
  readonly related?: ReadonlyArray<string>
  readonly sources?: ReadonlyArray<string>
  readonly reasoningSummary?: string
  readonly author: string
  readonly agent: string
  /** RFC 3339, UTC. */
  readonly now: string
}

/** The text of a new page: its fields in the reference's order, then the body as the caller gave it. */
export const createPage = (path: PagePath, edit: PageEdit): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    const draft = yield* readDraft(path, edit)
    const identity = { schema: pageSchema, slug: slugOf(path), type: typeOf(path) }
    const invalid = invalidIdentity({ ...identity, author: draft.author, created: edit.now })
    if (Option.isSome(invalid)) return yield* malformed(path, invalid.value)
    const edits: ReadonlyArray<FieldEdit> = [
      ...Object.entries(identity).map(([key, text]) => ({ _tag: "Text" as const, key, text })),
      { _tag: "Stamp", key: "created", text: edit.now },
      { _tag: "Text", key: "parent_sha", text: "" },
      ...draft.edits
    ]
    const yaml = yield* Either.mapLeft(editFields("", "\n", edits), (reason) => refusal(path, yamlReason(reason)))
    return `${draft.bom}---\n${yaml}---\n${draft.body}`
  })

/**
 * The text of an existing page after an edit. Only the values that change are spliced into it: `created`, fields the
 * caller did not pass, unknown keys, comments, order, BOM and line ends stay. A text that is no page is refused, never
 * rewritten.
 */
export const updatePage = (path: PagePath, existing: string, edit: PageEdit): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    const draft = yield* readDraft(path, edit)
    if (draft.author === "") return yield* malformed(path, "page: author required")
    return yield* spliceFields(path, existing, draft.edits, () => withLineEndsOf(existing, draft.body))
  })

/**
 * The text of a page after it cites one more source, stamped `now` (RFC 3339, UTC). A page that cites it already comes
 * back as it is.
 */
export const addSource = (
  path: PagePath,
  existing: string,
  source: string,
  now: string
): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    const { frontmatter } = splitPage(existing)
    const fields = Either.getOrUndefined(parseEntries(Option.getOrElse(frontmatter, () => "")))
    const sources = listOf(fields?.entries.find(({ key }) => key === "sources")?.value)
    const edits: ReadonlyArray<FieldEdit> = sources.includes(source)
      ? []
      : [
          { _tag: "List", key: "sources", items: [...sources, source] },
          { _tag: "Stamp", key: "updated", text: now }
        ]
    return yield* spliceFields(path, existing, edits, (body) => body)
  })

const spliceFields = (
  path: PagePath,
  existing: string,
  edits: ReadonlyArray<FieldEdit>,
  newBody: (body: string) => string
): Either.Either<string, MalformedPage> =>
  Either.gen(function* () {
    if (existing.includes("\0")) return yield* malformed(path, nulReason)
    const { body, bom, close, eol, frontmatter, open } = splitPage(existing)
    if (Option.isNone(frontmatter)) return yield* malformed(path, fenceReason(existing))
    const yaml = yield* Either.mapLeft(editFields(frontmatter.value, eol, edits), (reason) =>
      refusal(path, yamlReason(reason))
    )
    const text = newBody(body)
    // A file may end with its closing fence.
    const fence = text !== "" && !close.endsWith("\n") ? close + eol : close
    return (bom ? "\ufeff" : "") + open + yaml + fence + text
  })

interface Draft {
  readonly bom: string
  readonly body: string
  readonly author: string
  readonly edits: ReadonlyArray<FieldEdit>
}

/** Keys of a block in the caller's body that the page itself decides. */
const ownKeys = new Set(["schema", "slug", "type", "author", "agent", "created", "updated", "parent_sha"])
const mergedKeys = new Set(["sources", "related", "tags", "reasoning_summary"])

const readDraft = (path: PagePath, edit: PageEdit): Either.Either<Draft, MalformedPage> =>
  Either.gen(function* () {
    const given = [edit.author, edit.agent, edit.reasoningSummary ?? "", ...(edit.tags ?? [])]
    const texts = [edit.body, ...given, ...(edit.related ?? []), ...(edit.sources ?? [])]
    if (texts.some((text) => text.includes("\0"))) return yield* malformed(path, nulReason)
    const { body, bom, fields, others } = yield* readBlock(path, edit.body)
    const author = oneLine(edit.author)
    const agent = oneLine(edit.agent)
    const summary = edit.reasoningSummary ?? optional(fields.get("reasoning_summary"), textOf)
    const edits: ReadonlyArray<FieldEdit> = [
      { _tag: "Text", key: "author", text: author },
      agent === "" ? { _tag: "Remove", key: "agent" } : { _tag: "Text", key: "agent", text: agent },
      { _tag: "Stamp", key: "updated", text: edit.now },
      ...listEdit("sources", edit.sources ?? optional(fields.get("sources"), listOf)),
      ...listEdit("related", edit.related ?? optional(fields.get("related"), listOf)),
      ...listEdit("tags", edit.tags ?? optional(fields.get("tags"), listOf)),
      ...(summary === undefined ? [] : [summaryEdit(oneLine(summary))]),
      ...others
    ]
    return { bom: bom ? "\ufeff" : "", body, author, edits }
  })

const listEdit = (key: string, items: ReadonlyArray<string> | undefined): ReadonlyArray<FieldEdit> =>
  items === undefined ? [] : [{ _tag: "List", key, items: items.map(oneLine).filter((item) => item !== "") }]

const summaryEdit = (text: string): FieldEdit =>
  text === "" ? { _tag: "Remove", key: "reasoning_summary" } : { _tag: "Text", key: "reasoning_summary", text }

/** The caller's body without its frontmatter block, and what that block asks for. */
const readBlock = (path: PagePath, text: string) =>
  Either.gen(function* () {
    const { body, bom, close, frontmatter, open } = splitPage(text)
    const yaml = Option.getOrElse(frontmatter, () => "")
    const asText = { body: open + yaml + close + body, bom, fields: noFields, others: [] }
    if (Option.isNone(frontmatter)) return asText
    const parsed = parseEntries(yaml)
    if (Either.isLeft(parsed)) {
      // Prose between two thematic breaks is body text; a block that was meant as frontmatter is not.
      return hasKey.test(yaml) ? yield* malformed(path, brokenBlock(parsed.left)) : asText
    }
    const { entries } = parsed.right
    if (entries.length === 0 && yaml.trim() !== "") return asText
    const others = entries
      .filter(({ key }) => !ownKeys.has(key) && !mergedKeys.has(key))
      .map((entry): FieldEdit => ({
        _tag: "Source",
        key: entry.key,
        value: entry.value,
        source: sourceOf(yaml, parsed.right, entry)
      }))
    return { body, bom, fields: fieldsOf(parsed.right), others }
  })

const noFields: ReadonlyMap<string, FieldValue> = new Map()

const hasKey = /^[A-Za-z_][\w-]*:(?:\s|$)/m

const brokenBlock = (reason: string) =>
  `page: the frontmatter block at the start of the body is not valid YAML: ${reason}. Mend it or leave it out`

/** CRLF throughout stays CRLF when the caller speaks LF only, so that the file does not change on every line. */
const withLineEndsOf = (existing: string, body: string): string =>
  existing.includes("\r\n") && !/(?<!\r)\n/.test(existing) && !body.includes("\r")
    ? body.replaceAll("\n", "\r\n")
    : body

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " ")
    .trim()

const optional = <A>(value: FieldValue | undefined, read: (value: FieldValue) => A): A | undefined =>
  value === undefined ? undefined : read(value)

const refusal = (path: PagePath, reason: string) => new MalformedPage({ path, reason })
const malformed = (path: PagePath, reason: string) => Either.left(refusal(path, reason))

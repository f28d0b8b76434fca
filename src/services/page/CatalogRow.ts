import { Option } from "effect"
import { type PagePath, typeOf } from "../../model/page/PagePath.ts"
import { isSlug, type Slug } from "../../model/page/Slug.ts"
import type { SeenFile } from "./PageFile.ts"
import type { CatalogEntry } from "./PageStore.ts"

/** A seen file as it is stored: what a listing compares, and apart from it what only some readers ask for. */
export interface CatalogRow {
  readonly path: string
  /** Seven numbers, with commas: size, mtime, ctime, ino, racy, unsafe, malformed. */
  readonly facts: string
  readonly hash: string
  /** One line of JSON: the fields of the page, or why it is none. */
  readonly data: string
}

export const encodeRow = (seen: SeenFile): CatalogRow => {
  const { path } = seen
  const facts = (unsafe: boolean, malformed: boolean) =>
    [seen.size, seen.mtime, seen.ctime, seen.ino, +seen.racy, +unsafe, +malformed].join(",")
  if (seen._tag === "Malformed") {
    return { path, facts: facts(false, true), hash: seen.hash, data: JSON.stringify([seen.reason]) }
  }
  const { hash, lead, page, unsafe } = seen.entry
  const { agent, author, created, reasoningSummary, related, sources, tags, updated } = page
  const fields = [lead, author, agent ?? "", created, updated, tags, sources, related, reasoningSummary ?? ""]
  return { path, facts: facts(unsafe, false), hash, data: JSON.stringify(fields) }
}

/** All rows, each column joined: paths and data by line ends, facts by commas, hashes by nothing. */
export interface CatalogColumns {
  readonly paths: string
  readonly facts: string
  readonly hashes: string
  readonly data: string
}

/**
 * The files behind the columns, in the same order; none where the columns do not fit each other.
 *
 * Joined columns, because ten thousand rows from SQLite and as many JSON documents take longer than looking at the files.
 * The fields of a page are parsed when somebody asks for them: many commands want paths and hashes only.
 */
export const decodeColumns = ({ data, facts, hashes, paths }: CatalogColumns): ReadonlyArray<SeenFile> => {
  const names = paths === "" ? [] : paths.split("\n")
  const numbers = numbersIn(facts)
  if (numbers.length !== names.length * width || hashes.length !== names.length * hashLength) return []
  const fields = fieldsIn(data)
  const files: Array<SeenFile> = []
  for (const [index, path] of names.entries()) {
    const slug = path.slice(path.lastIndexOf("/") + 1, -".md".length)
    if (!isPath(path) || !isSlugText(slug)) return []
    const number = (column: number) => numbers[index * width + column] ?? 0
    const size = number(0)
    const mtime = number(1)
    const ctime = number(2)
    const ino = number(3)
    const racy = number(4) === 1
    const hash = hashes.slice(index * hashLength, (index + 1) * hashLength)
    if (number(6) === 1) {
      files.push({ _tag: "Malformed", path, size, mtime, ctime, ino, racy, hash, reason: text(fields(index)[0]) })
    } else {
      const entry = new StoredEntry(path, slug, hash, size, number(5) === 1, () => fields(index))
      files.push({ _tag: "Page", path, size, mtime, ctime, ino, racy, entry })
    }
  }
  return files
}

const width = 7
const hashLength = 64

type Fields = ReadonlyArray<unknown>

class StoredEntry implements CatalogEntry {
  readonly hash: string
  readonly bytes: number
  readonly unsafe: boolean
  readonly #path: PagePath
  readonly #slug: Slug
  readonly #fields: () => Fields
  #parsed: Pick<CatalogEntry, "lead" | "page"> | undefined

  constructor(path: PagePath, slug: Slug, hash: string, bytes: number, unsafe: boolean, fields: () => Fields) {
    this.hash = hash
    this.bytes = bytes
    this.unsafe = unsafe
    this.#path = path
    this.#slug = slug
    this.#fields = fields
  }

  get page() {
    return this.#read().page
  }

  get lead() {
    return this.#read().lead
  }

  #read() {
    this.#parsed ??= parse(this.#path, this.#slug, this.#fields())
    return this.#parsed
  }
}

const parse = (path: PagePath, slug: Slug, fields: Fields): Pick<CatalogEntry, "lead" | "page"> => {
  const [lead, author, agent, created, updated, tags, sources, related, reasoningSummary] = fields
  const page = {
    path,
    type: typeOf(path),
    slug,
    author: text(author),
    ...(text(agent) === "" ? {} : { agent: text(agent) }),
    created: text(created),
    updated: text(updated),
    tags: texts(tags),
    sources: texts(sources),
    related: texts(related),
    ...(text(reasoningSummary) === "" ? {} : { reasoningSummary: text(reasoningSummary) })
  }
  return { lead: text(lead), page }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")
const texts = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(text) : [])

const parseJson = (json: string): unknown =>
  Option.getOrUndefined(Option.liftThrowable((): unknown => JSON.parse(json))())

const numbersIn = (facts: string): ReadonlyArray<number> => {
  const parsed = parseJson(`[${facts}]`)
  return Array.isArray(parsed) && parsed.every((value) => typeof value === "number") ? parsed : []
}

/** The lines are split when the first is asked for. */
const fieldsIn = (data: string): ((index: number) => Fields) => {
  let lines: ReadonlyArray<string> | undefined
  return (index) => {
    lines ??= data.split("\n")
    const parsed = parseJson(lines[index] ?? "")
    return Array.isArray(parsed) ? parsed : []
  }
}

const isSlugText = (slug: string): slug is Slug => isSlug(slug)
const isPath = (path: string): path is PagePath =>
  /^(?:wiki\/(?:concepts|entities|analyses)|raw\/sessions)\/[^/]+\.md$/.test(path)

import { Either, Option, Predicate, Schema } from "effect"
import { sha256 } from "../text/Hash.ts"
import { jsonExcess } from "../text/JsonBounds.ts"
import { parsePage } from "../page/Page.ts"
import { identityOf, type PagePath, parsePagePath } from "../page/PagePath.ts"
import { forAgentLine } from "../text/Sanitise.ts"
import { truncateBytes } from "../text/Text.ts"
import { decodeUtf8 } from "../text/Utf8.ts"
import { archiveFormat, archiveVersion, Manifest, maxArchiveBytes, PageRecord, type PageText } from "./Archive.ts"

/**
 * The pages of an archive; Left says, in words, why it is none that can be trusted.
 *
 * All or nothing: whoever made the file need not mean well, and a file that breaks one rule may break others. So a path
 * that is no page's, two of one page, a hash or a size that is wrong, a page more or less than the manifest names, or a text
 * that is no page refuses the whole (A13, A16). The file is plain text: it cannot grow while it is read, and holds no links.
 */
export const readArchive = (bytes: Uint8Array): Either.Either<ReadonlyArray<PageText>, string> =>
  Either.gen(function* () {
    if (bytes.length > maxArchiveBytes) return yield* Either.left(tooLarge)
    const container = containerOf(bytes)
    if (container !== undefined) return yield* Either.left(`it is a ${container} file, not what ${source} writes`)
    const text = decodeUtf8(bytes)
    if (Option.isNone(text)) return yield* Either.left(`it is not UTF-8 text, so not what ${source} writes`)
    const lines = text.value.split("\n")
    if (lines.at(-1) === "") lines.pop()
    const [first = "", ...rest] = lines
    const listed = yield* readManifest(first)
    if (rest.length !== listed.length) {
      return yield* Either.left(
        `it names ${listed.length} page(s) and holds ${rest.length}: it was cut short, or changed`
      )
    }
    const pages: Array<PageText> = []
    for (const [index, entry] of listed.entries()) pages.push(yield* readPage(rest[index] ?? "", index + 2, entry))
    return pages
  })

/** What an archive comes from, as messages name it. */
const source = "'ctx export --format archive'"

export const tooLarge = `it is larger than ${maxArchiveBytes / 1024 / 1024} MiB; export and import in parts, with --type or --tag`

interface Listed {
  readonly path: PagePath
  readonly bytes: number
  readonly sha256: string
}

/** More pages than this in one file are no wiki. */
const maxPages = 200_000

const readManifest = (line: string): Either.Either<ReadonlyArray<Listed>, string> =>
  Either.gen(function* () {
    const value = yield* parseLine(line, maxPages + 2, 1)
    if (!Predicate.isReadonlyRecord(value) || value["format"] !== archiveFormat) {
      return yield* Either.left(`its first line is not the manifest that ${source} writes`)
    }
    if (value["version"] !== archiveVersion) {
      return yield* Either.left(
        `it is of version ${shown(String(value["version"]))}, and this ctx reads version ${archiveVersion}: update ctx`
      )
    }
    const manifest = yield* Either.mapLeft(
      Schema.decodeUnknownEither(Manifest)(value),
      () => "line 1: the manifest is damaged"
    )
    const listed: Array<Listed> = []
    const seen = new Map<string, string>()
    for (const { path, ...rest } of manifest.pages) {
      const parsed = parsePagePath(path)
      if (Option.isNone(parsed)) return yield* Either.left(`${shown(path)} is not the path of a page`)
      const twin = seen.get(identityOf(parsed.value))
      if (twin !== undefined) {
        return yield* Either.left(
          twin === path ? `it holds ${path} twice` : `${twin} and ${path} differ only by case, which is one page`
        )
      }
      seen.set(identityOf(parsed.value), path)
      listed.push({ path: parsed.value, ...rest })
    }
    return listed
  })

const readPage = (line: string, number: number, listed: Listed): Either.Either<PageText, string> =>
  Either.gen(function* () {
    const { path } = listed
    const value = yield* parseLine(line, 1, number)
    const { content, path: named } = yield* Either.mapLeft(
      Schema.decodeUnknownEither(PageRecord)(value),
      () => `line ${number}: not the record of a page`
    )
    if (named !== path) return yield* Either.left(`line ${number} is of ${shown(named)} where ${path} belongs`)
    const bytes = new TextEncoder().encode(content)
    // A lone surrogate would be written as another character than the one that stands here.
    if (!content.isWellFormed() || bytes.length !== listed.bytes || sha256(bytes) !== listed.sha256) {
      return yield* Either.left(`${path} is not what the manifest says it is: the file was damaged, or changed`)
    }
    const page = parsePage(path, content)
    return Either.isLeft(page) ? yield* Either.left(`${path}: ${page.left.reason}`) : { path, text: content }
  })

const parseLine = (line: string, maxPieces: number, number: number): Either.Either<unknown, string> => {
  const excess = jsonExcess(line, maxPieces)
  if (excess !== undefined) return Either.left(`line ${number}: ${excess}`)
  return Either.try({
    try: (): unknown => JSON.parse(line),
    catch: () =>
      number === 1 ? `it is not what ${source} writes` : `line ${number} is not JSON: it was cut short, or changed`
  })
}

/** What somebody else wrote, in a message. */
const shown = (text: string): string => JSON.stringify(truncateBytes(forAgentLine(text), 120))

/** How other containers begin: a person who packed the archive, or took another program's, is told. */
const containers: ReadonlyArray<readonly [kind: string, offset: number, magic: string]> = [
  ["gzip", 0, "\x1f\x8b"],
  ["zip", 0, "PK\x03\x04"],
  ["zip", 0, "PK\x05\x06"],
  ["Zstandard", 0, "\x28\xb5\x2f\xfd"],
  ["bzip2", 0, "BZh"],
  ["xz", 0, "\xfd7zXZ\0"],
  ["7z", 0, "7z\xbc\xaf\x27\x1c"],
  ["tar", 257, "ustar"]
]

const containerOf = (bytes: Uint8Array): string | undefined =>
  containers.find(
    ([, offset, magic]) => Buffer.from(bytes.subarray(offset, offset + magic.length)).toString("latin1") === magic
  )?.[0]

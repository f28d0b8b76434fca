import { Either, Option } from "effect"
import { type TextBlock, readBlocks } from "../markdown/Blocks.ts"
import { parseFields, splitPage } from "../frontmatter/Frontmatter.ts"
import type { FieldValue } from "../frontmatter/FrontmatterEntries.ts"
import { forAgentLine } from "../text/Sanitise.ts"
import { isWeighing } from "./Knowledge.ts"
import { columnsOf, noteText } from "./NoteText.ts"

/** What the beginning of a document says about it. */
export interface Head {
  /** One line of at most 100 characters, safe to show; empty where nothing reads as one. */
  readonly summary: string
  /** Empty, or no more than a pointer to another file. */
  readonly stub: boolean
  /** A decision that is no longer in force. */
  readonly superseded: boolean
  /** Whether its title says that it weighs or reports. */
  readonly weighs: boolean
  /** The `type` of its frontmatter; empty without one. */
  readonly declared: string
  /** Files that it pulls in, as agents' files do: `@docs/style.md`. */
  readonly imports: ReadonlyArray<string>
}

/**
 * Reads the beginning of a document. The summary is the frontmatter's description, else the first paragraph that is
 * prose: no heading, badge, markup or import.
 *
 * @param path Its name tells the markup.
 * @param text Its first few kilobytes; `whole` says whether that is all of it.
 */
export const readHead = (path: string, text: string, whole: boolean): Head => {
  if (/\.csv$/i.test(path)) return tableHead(text)
  const { body: written, frontmatter } = splitPage(text)
  const { declared, text: body } = noteText(path, written)
  const fields = fieldsOf(frontmatter)
  const parts = /\.(?:rst|adoc|txt)$/i.test(path) || !/\.[a-z]+$/i.test(path) ? plainParts(body) : markdownParts(body)
  const prose = parts.prose.map(readable).filter((line) => isProse(line) && !recordField.test(line))
  const description = readable(fields("description"))
  const title = parts.headings.map(readable).find(isProse) ?? ""
  return {
    summary: shorten(isProse(description) ? description : (prose[0] ?? title)),
    stub: whole && isStub(written, prose),
    superseded: noLonger.test(fields("status")) || statusLine.test(body),
    weighs: isWeighing(title),
    declared: fields("type") === "" ? declared : fields("type"),
    imports: importsIn(body)
  }
}

/** A table is told by its columns. */
const tableHead = (text: string): Head => {
  const columns = columnsOf(text)
  const summary = columns.length === 0 ? "" : shorten(`Table: ${forAgentLine(columns.join(", "))}`)
  return { summary, stub: text.trim() === "", superseded: false, weighs: false, declared: "", imports: [] }
}

const fieldsOf = (frontmatter: Option.Option<string>) => {
  const fields = Option.flatMap(frontmatter, (yaml) => Either.getRight(parseFields(yaml)))
  return (name: string): string => Option.match(fields, { onNone: () => "", onSome: (all) => oneText(all.get(name)) })
}

const oneText = (value: FieldValue | undefined): string => (typeof value === "string" ? value : "")

interface Parts {
  readonly headings: ReadonlyArray<string>
  readonly prose: ReadonlyArray<string>
}

const markdownParts = (body: string): Parts => {
  const headings: Array<string> = []
  const prose: Array<string> = []
  const textOf = ({ lines }: TextBlock) =>
    Array.from({ length: lines.length / 2 }, (_, line) => body.slice(lines[2 * line], lines[2 * line + 1])).join(" ")
  readBlocks(body, (block) => {
    if (block.kind === "heading") headings.push(textOf(block).replace(/^#{1,6}\s+|\s+#+$/g, ""))
    else if (block.kind === "paragraph") prose.push(textOf(block))
  })
  return { headings, prose }
}

/** reStructuredText, AsciiDoc and plain text, near enough for a summary. */
const plainParts = (body: string): Parts => {
  const headings: Array<string> = []
  const prose: Array<string> = []
  for (const block of body.split(/\r?\n[ \t]*\r?\n/)) {
    const lines = block.split(/\r?\n/).filter((line) => line.trim() !== "")
    const [first = "", second = ""] = lines
    if (/^=+ /.test(first)) headings.push(first.replace(/^=+ /, ""))
    else if (/^([=\-~^"'`#*+.:_])\1{2,}\s*$/.test(second)) headings.push(first)
    else if (!/^(?:\.\.|:[a-z-]+:|[=\-~^"'`#*+_]{3,}|\/\/|\[|ifdef::|include::)/i.test(first))
      prose.push(lines.join(" "))
  }
  return { headings, prose }
}

/** Text without inline markup, on one line. */
const readable = (text: string): string =>
  forAgentLine(
    text
      .replace(/<!--[\s\S]*?(?:-->|$)/g, " ")
      .replace(/\[!\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, " ")
      .replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1")
      .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
      .replace(/<\/?[a-z][^<>]*>/gi, " ")
      .replace(/(\*\*|__|`+|~~)(?=\S)(.*?\S)\1/g, "$2")
      .replace(/(?<![\w*])\*(?=\S)([^*]*\S)\*(?![\w*])/g, "$1")
      .replace(/(?<![\w_])_(?=\S)([^_]*\S)_(?![\w_])/g, "$1")
      .replace(/&nbsp;/g, " ")
  ).replace(/ {2,}/g, " ")

/** At least two words or a run of a script without blanks; no line of code that MDX imports, no markup that is left. */
const isProse = (text: string): boolean =>
  (/\p{L}[\p{L}\p{N}]*[^\p{L}]+\p{L}/u.test(text) ||
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{3}/u.test(text)) &&
  !/^(?:import|export) .*(?: from |[;{])|^[{<|]/.test(text)

/** What a record of a decision says of itself before it begins. */
const recordField = /^[-*]?\s*(?:status|date|deciders?|decision[- ]makers?|authors?|consulted|informed|tags?)\s*[:|]/i

const most = 100

/** At most 100 characters: whole sentences where one fits, else whole words and an ellipsis. */
const shorten = (text: string): string => {
  const points = [...text]
  if (points.length <= most) return text
  const cut = points.slice(0, most).join("")
  const sentence = /^.*[.!?。！？](?=\s|$)/u.exec(cut)?.[0] ?? ""
  if ([...sentence].length >= most / 3) return sentence
  const room = points.slice(0, most - 1).join("")
  const words = room.replace(/\s+\S*$/u, "")
  return `${words.length >= room.length / 2 ? words : room}…`
}

const pointer =
  /^(?:please )?(?:see|read|refer to|follow|moved to|go to|use|now in|symlink to|(?:this|the) (?:file|page|document|content)s? (?:is |are |has |have |was |were )*(?:been )?(?:moved|at|in|located))\b.{0,160}$/i

const isStub = (body: string, prose: ReadonlyArray<string>): boolean => {
  const said = body.trim()
  if (said.length === 0) return true
  if (said.length >= 200) return false
  return (
    /^@\S+$/.test(said) ||
    (prose.length === 1 && pointer.test(prose[0] ?? "") && !/\n[ \t]*(?:[-*+]|\d+\.) /.test(said))
  )
}

const noLonger = /^["'\s]*(?:superseded|deprecated|rejected|obsolete)/i
const statusLine =
  /^(?:#{1,6}[ \t]*status[ \t]*\r?\n\s*|[-*]?[ \t]*\**status\**[ \t]*[:|][ \t*]*)\**(?:superseded|deprecated|rejected|obsolete)/im

const importsIn = (body: string): ReadonlyArray<string> =>
  [...body.matchAll(/(?:^|\s)@((?:\.{1,2}\/)?[\w-][\w./-]*\.(?:md|mdc|mdx|txt))(?=$|[\s,;:)]|\.\s|\.$)/gm)].map(
    ([, path = ""]) => path
  )

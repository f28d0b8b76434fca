import type { FieldChange, SectionChange, SectionDiff } from "../../model/merge/SectionDiff.ts"
import { hunkLines } from "./hunks.ts"
import type { Style } from "./style.ts"

export interface DiffTextOptions {
  /** Show the lines that changed below each section. */
  readonly bodies: boolean
  readonly style: Style
}

/**
 * The text of `ctx diff`: what became of frontmatter, preamble and each section, and which lines changed.
 *
 * @param diff Made safe already (`forAgentDiff`).
 *
 * Source: reference.md 4.4.
 */
export const diffText = (slug: string, diff: SectionDiff, options: DiffTextOptions): string =>
  [`diff: ${slug}   ${label(diff.from_sha)}..${label(diff.to_sha)}`, ...diffBlocks(diff, options)].join("\n\n")

/** The same without its first line, block by block. */
export const diffBlocks = (diff: SectionDiff, options: DiffTextOptions): ReadonlyArray<string> => {
  const preamble = diff.preamble === undefined || diff.preamble.status === "unchanged" ? [] : [diff.preamble]
  const blocks = [
    ...(diff.purged ?? []).map((side) => [
      `(the content of the ${side === "from" ? "older" : "newer"} version was purged: it counts as empty)`
    ]),
    ...(diff.parse_fallback === true
      ? [["(the frontmatter of a version could not be read: whole files are compared)"]]
      : []),
    titled("Frontmatter", frontmatterLines(diff.frontmatter)),
    titled(
      "Preamble",
      preamble.flatMap((one) => sectionLines({ ...one, heading: "preamble" }, options))
    ),
    titled(
      "Sections",
      (diff.sections ?? []).flatMap((one) => sectionLines(one, options))
    )
  ].filter((block) => block.length > 0)
  return blocks.length === 0 ? ["(no changes)"] : blocks.map((block) => block.join("\n"))
}

const label = (sha: string): string => (sha === "" ? '""' : sha.slice(0, 7))

const titled = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [title, ...lines]

const frontmatterLines = ({ added, changed, removed }: SectionDiff["frontmatter"]): ReadonlyArray<string> => [
  ...(changed ?? []).flatMap(({ field, from, to }) => [
    `  ~ ${field}`,
    ...value("      - ", from ?? ""),
    ...value("      + ", to ?? "")
  ]),
  ...(added ?? []).flatMap(({ field, to }) => value(`  + ${field}: `, to ?? "")),
  ...(removed ?? []).flatMap(({ field, from }) => value(`  - ${field}: `, from ?? ""))
]

/** A value of several lines stands below a `|`, indented. */
const value = (before: string, held: NonNullable<FieldChange["from"]>): ReadonlyArray<string> => {
  const text = typeof held === "string" ? held : `[${held.join(", ")}]`
  const lines = text.split("\n")
  return lines.length === 1
    ? [before + text]
    : [`${before}|`, ...lines.map((line) => `${" ".repeat(before.search(/\S/) + 4)}${line}`)]
}

const sectionLines = (change: SectionChange, { bodies, style }: DiffTextOptions): ReadonlyArray<string> => {
  const { introduced_by: origin, status } = change
  const blame =
    origin === undefined || status === "removed" ? "" : ` — introduced by ${origin.author} at ${origin.sha.slice(0, 7)}`
  return [`  ${statusLine(change)}${blame}`, ...(bodies ? bodyLines(change, style).map((line) => `      ${line}`) : [])]
}

/** What became of a section, in one line: `~ ## A (2 lines changed)`, `> ## B (moved)`. */
export const statusLine = ({ from, heading, line_diff, moved, old_heading, status, to }: SectionChange): string => {
  const lines = line_diff === undefined ? [] : line_diff.split("\n")
  const touched = lines.filter((line) => line.startsWith("+ ") || line.startsWith("- ")).length
  const also = moved === true ? ", moved" : ""
  switch (status) {
    case "unchanged":
      return moved === true ? `> ${heading} (moved)` : `= ${heading}`
    case "added":
      return `+ ${heading} (${count(lineCount(to), "line")} added)`
    case "removed":
      return `- ${heading} (${count(lineCount(from), "line")} removed)`
    case "modified":
      return `~ ${heading} (${count(touched, "line")} changed${also})`
    case "renamed":
      return `~> ${heading}  (renamed from ${JSON.stringify(old_heading ?? "")}${touched === 0 ? "" : `, ${count(touched, "line")} changed`}${also})`
  }
}

const bodyLines = ({ from, line_diff, status, to }: SectionChange, style: Style): ReadonlyArray<string> => {
  if (line_diff !== undefined) return hunkLines(line_diff, style)
  if (status === "added") return wholeLines("+ ", to, style.added)
  return status === "removed" ? wholeLines("- ", from, style.removed) : []
}

const wholeLines = (mark: string, text: string | undefined, paint: (text: string) => string): ReadonlyArray<string> =>
  text === undefined || text.trim() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => paint(`${mark}${line}`))

const lineCount = (text: string | undefined): number => {
  const trimmed = (text ?? "").trimEnd()
  return trimmed === "" ? 0 : trimmed.split("\n").length
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

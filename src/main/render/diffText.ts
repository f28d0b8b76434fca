import type { FieldChange, SectionChange, SectionDiff } from "../../model/SectionDiff.ts"

/**
 * The text of `ctx diff`: what became of frontmatter, preamble and each section, one line each.
 *
 * @param diff Made safe already (`forAgentDiff`).
 *
 * Source: reference.md 4.4.
 */
export const diffText = (slug: string, diff: SectionDiff): string => {
  const preamble = diff.preamble === undefined || diff.preamble.status === "unchanged" ? [] : [diff.preamble]
  const blocks = [
    [`diff: ${slug}   ${label(diff.from_sha)}..${label(diff.to_sha)}`],
    ...(diff.parse_fallback === true
      ? [["(the frontmatter of a version could not be read: whole files are compared)"]]
      : []),
    titled("Frontmatter", frontmatterLines(diff.frontmatter)),
    titled(
      "Preamble",
      preamble.map((one) => sectionLine({ ...one, heading: "preamble" }))
    ),
    titled("Sections", (diff.sections ?? []).map(sectionLine))
  ]
  const shown = blocks.filter((block) => block.length > 0)
  return (shown.length === 1 ? [...shown, ["(no changes)"]] : shown).map((block) => block.join("\n")).join("\n\n")
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

const sectionLine = (change: SectionChange): string => {
  const { heading, introduced_by: origin, status } = change
  const blame =
    origin === undefined || status === "removed" ? "" : ` — introduced by ${origin.author} at ${origin.sha.slice(0, 7)}`
  return `  ${statusLine(heading, change)}${blame}`
}

const statusLine = (heading: string, { from, line_diff, old_heading, status, to }: SectionChange): string => {
  const touched = (line_diff ?? "").split("\n").filter((line) => line.startsWith("+ ") || line.startsWith("- ")).length
  switch (status) {
    case "unchanged":
      return `= ${heading}`
    case "added":
      return `+ ${heading} (${count(lineCount(to), "line")} added)`
    case "removed":
      return `- ${heading} (${count(lineCount(from), "line")} removed)`
    case "modified":
      return `~ ${heading} (${count(touched, "line")} changed)`
    case "renamed":
      return `~> ${heading}  (renamed from ${JSON.stringify(old_heading ?? "")}${touched === 0 ? "" : `, ${count(touched, "line")} changed`})`
  }
}

const lineCount = (text: string | undefined): number => {
  const trimmed = (text ?? "").trimEnd()
  return trimmed === "" ? 0 : trimmed.split("\n").length
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

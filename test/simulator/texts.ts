import { Either, Option } from "effect"
import { splitPage } from "../../src/model/frontmatter/Frontmatter.ts"
import { parsePage } from "../../src/model/page/Page.ts"
import type { PagePath } from "../../src/model/page/PagePath.ts"

/** The pages of a simulation: sections with one line for each fact, and in each fact a marker that no other has. */

/** Every marker in a text. One is never written twice, so where it is, its fact is. */
export const markersIn = (text: string | undefined): ReadonlySet<string> => new Set(text?.match(/\bmk\d+x\b/g))

export const without = (from: Iterable<string>, those: ReadonlySet<string>): ReadonlyArray<string> =>
  [...from].filter((marker) => !those.has(marker))

export const sectionNames = ["Alpha", "Beta", "Gamma"] as const

export const fact = (marker: string): string => `Fact ${marker} holds.`

export const freshBody = (marker: string, section: string): string =>
  sectionNames.map((name) => `## ${name}\n\n${name === section ? `${fact(marker)}\n` : ""}`).join("\n")

export const bodyOf = (text: string): string => splitPage(text).body

export const headOf = (text: string): string => text.slice(0, text.length - bodyOf(text).length)

interface Part {
  readonly heading: string
  readonly lines: ReadonlyArray<string>
}

/** The preamble (with an empty heading), and the sections; every line with its end. */
const partsOf = (body: string): ReadonlyArray<Part> => {
  const parts: Array<{ heading: string; lines: Array<string> }> = [{ heading: "", lines: [] }]
  for (const line of body.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (line.startsWith("## ")) parts.push({ heading: line.trim(), lines: [line] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts
}

const joined = (parts: ReadonlyArray<Part>): string => parts.flatMap(({ lines }) => lines).join("")

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

/** Puts a fact into a section, in place of those that are there or beside them. A section that is gone comes back. */
export const editSection = (body: string, section: string, marker: string, replace: boolean): string => {
  const heading = `## ${section}`
  const eol = eolOf(body)
  const line = `${fact(marker)}${eol}`
  const parts = partsOf(body)
  if (!parts.some((part) => part.heading === heading)) return ensureEnd(body, eol) + `${heading}${eol}${eol}${line}`
  return joined(
    parts.map((part) => {
      if (part.heading !== heading) return part
      const kept = part.lines.map((one) => ensureEnd(one, eol)).filter((one) => !replace || markersIn(one).size === 0)
      return { ...part, lines: [...kept, line] }
    })
  )
}

const ensureEnd = (text: string, eol: string): string => (text === "" || text.endsWith("\n") ? text : text + eol)

/** Both sides of a page, section by section: all of mine, and what of theirs is not there. */
export const union = (mine: string, theirs: string): string => {
  const eol = eolOf(mine)
  const known = markersIn(mine)
  const others = partsOf(theirs)
  const parts = partsOf(mine).map((part) => {
    const more = others.filter(({ heading }) => heading === part.heading).flatMap(({ lines }) => lines)
    return { ...part, lines: [...part.lines.map((line) => ensureEnd(line, eol)), ...factsBeyond(more, known, eol)] }
  })
  const missing = others.filter(({ heading }) => !parts.some((part) => part.heading === heading))
  const added = missing.map((part) => ({
    ...part,
    lines: [`${part.heading}${eol}`, ...factsBeyond(part.lines, known, eol)]
  }))
  return joined([...parts, ...added.filter(({ heading }) => heading !== "")])
}

const factsBeyond = (lines: ReadonlyArray<string>, known: ReadonlySet<string>, eol: string): ReadonlyArray<string> =>
  lines.filter((line) => without(markersIn(line), known).length > 0).map((line) => line.replace(/\r?\n$/, "") + eol)

/** What of the frontmatter a writer may pass on. */
export const fieldsOf = (path: PagePath, text: string | undefined) => {
  const page = text === undefined ? Option.none() : Either.getRight(parsePage(path, text))
  return {
    tags: Option.match(page, { onNone: () => [], onSome: ({ tags }) => tags }),
    summary: Option.flatMap(page, ({ reasoningSummary }) => Option.fromNullable(reasoningSummary))
  }
}

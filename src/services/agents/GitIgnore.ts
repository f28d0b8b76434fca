import { Either, Option } from "effect"
import type { Edited } from "./Change.ts"
import type { Edit } from "./Edit.ts"

const header = "# Contexo local knowledge (synced via ctx push/pull, not git)"
const line = ".contexo/"

const isOurs = (text: string): boolean => text.trim() === line || text.trim() === ".contexo"

/**
 * Adds `.contexo/` to a `.gitignore`, under a header and after a blank line (reference 1.9). Line ends are the file's; a
 * file without a line end at its end stays without one.
 *
 * @param before The file's text; None where there is no file.
 */
export const addIgnore = (before: Option.Option<string>): Edited => {
  if (Option.isNone(before)) return { after: `${header}\n${line}\n`, change: "created" }
  const text = before.value
  if (text.split("\n").some(isOurs)) return { after: text, change: "present" }
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  if (text === "") return { after: `${header}${eol}${line}${eol}`, change: "added" }
  return text.endsWith("\n")
    ? { after: `${text}${eol}${header}${eol}${line}${eol}`, change: "added" }
    : { after: `${text}${eol}${eol}${header}${eol}${line}`, change: "added" }
}

/** The line in a `.gitignore`. What is taken out is the line, its header and the blank line before it. */
export const ignoreLine: Edit = {
  wire: (before) => Either.right(addIgnore(before)),
  unwire: (text) => Either.right(withoutLines(text)),
  find: (text) => Either.right(text.split("\n").some(isOurs) ? "wired" : "absent"),
  parse: (text) =>
    Option.some(
      text
        .split("\n")
        .map((one) => one.trim())
        .filter((one) => one !== "")
    )
}

const withoutLines = (text: string): Option.Option<string> => {
  const kept: Array<string> = []
  for (const one of text.split("\n")) {
    const isHeader = one.trim() === header
    if (isHeader && kept.at(-1)?.trim() === "") kept.pop()
    if (!isHeader && !isOurs(one)) kept.push(one)
  }
  const rest = kept.join("\n")
  const whole = text.endsWith("\n") ? rest : rest.replace(/\r$/, "")
  return whole === "" ? Option.none() : Option.some(whole)
}

/**
 * How many code units the link reference definition takes that a paragraph begins with, its line end included; 0 if it
 * begins with none. The text has its lines without the blanks before them, each ended by LF.
 *
 * @example definitionLength("[a]: /url 'title'\ntext\n") === 18
 */
export const definitionLength = (text: string): number => {
  const label = labels.exec(text)?.[0] ?? ""
  // A label must have something in it.
  if (label === "" || label.length > 1001 || label.slice(1, -1).trim() === "" || text.charAt(label.length) !== ":") {
    return 0
  }
  const url = destination(text, spaces(text, label.length + 1))
  if (url === undefined) return 0
  const behind = spaces(text, url)
  const quoted = behind === url ? undefined : title(text, behind)
  // What looks like a title but does not end its line may be the text after a definition without one.
  return (quoted === undefined ? undefined : lineEnd(text, quoted)) ?? lineEnd(text, url) ?? 0
}

const labels = /^\[(?:[^\\[\]]|\\.){0,1000}\]/s
const enclosed = /<(?:[^<>\n\\\x00]|\\.)*>/y
const blanks = / *(?:\n *)?/y
const restOfLine = / *(?:\n|$)/y
const escapable = "!\"#$%&'()*+,./:;<=>?@[\\]^_`{|}~-"
const whitespace = " \t\n\v\f\r"

const matchAt = (pattern: RegExp, text: string, at: number): number | undefined => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

const spaces = (text: string, at: number): number => matchAt(blanks, text, at) ?? at

const lineEnd = (text: string, at: number): number | undefined => matchAt(restOfLine, text, at)

const destination = (text: string, start: number): number | undefined => {
  if (text.charAt(start) === "<") return matchAt(enclosed, text, start)
  let [at, open] = [start, 0]
  for (; at < text.length && !whitespace.includes(text.charAt(at)); at++) {
    const unit = text.charAt(at)
    if (unit === "\\" && at + 1 < text.length && escapable.includes(text.charAt(at + 1))) at++
    else if (unit === "(") open++
    else if (unit === ")" && open-- === 0) break
  }
  return open > 0 || (at === start && text.charAt(at) !== ")") ? undefined : at
}

/** Behind `"..."`, `'...'` or `(...)`; a backslash takes the next character with it. */
const title = (text: string, start: number): number | undefined => {
  const open = text.charAt(start)
  const close = open === "(" ? ")" : open
  if (open !== '"' && open !== "'" && open !== "(") return undefined
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charAt(at)
    if (unit === "\\") at++
    else if (unit === close) return at + 1
    else if (unit === open) return undefined
  }
  return undefined
}

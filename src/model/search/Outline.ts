/** A part of a Markdown text: what stands under one heading, up to the next heading of any level. */
export interface Part {
  /** The heading's line without closing hashes, such as `## Decision`; empty above the first heading. */
  readonly heading: string
  /** UTF-16 offsets of the text below the heading's line. */
  readonly start: number
  readonly end: number
}

/**
 * The parts of a Markdown text, for searching: `#` headings outside fenced code. Cheaper than `parseSections`, and less
 * exact: what it takes for a heading only weighs more.
 */
export const outline = (text: string): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let heading = ""
  let begun = 0
  let fence = ""
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline + 1
    const mark = opening(text, start)
    if (fence !== "") {
      if (mark !== "" && mark.startsWith(fence)) fence = ""
    } else if (mark.startsWith("`") || mark.startsWith("~")) fence = mark
    else if (mark !== "") {
      parts.push({ heading, start: begun, end: start })
      heading = label(mark, text.slice(start, end))
      begun = end
    }
    start = end
  }
  parts.push({ heading, start: begun, end: text.length })
  return parts.filter((part) => part.heading !== "" || part.end > part.start)
}

/** What a line begins with: the marks of a fence, the hashes of a heading, or nothing of interest. */
const opening = (text: string, start: number): string => {
  begins.lastIndex = start
  return begins.exec(text)?.[1] ?? ""
}

const begins = /[ ]{0,3}(`{3,}|~{3,}|#{1,6}(?=[ \t\r\n]|$))/y

const longestHeading = 1_000

const label = (hashes: string, line: string): string => {
  const text = line.trim().slice(hashes.length, longestHeading).trim()
  let end = text.length
  while (text.charAt(end - 1) === "#") end--
  const open = end === 0 || /\s/.test(text.charAt(end - 1)) ? text.slice(0, end).trim() : text
  return open === "" ? hashes : `${hashes} ${open}`
}

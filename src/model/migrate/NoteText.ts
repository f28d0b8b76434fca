/** What the programs that notes come from put into their text besides prose. */

/** Values beside a note's text: `type:: entity` of Logseq, `Type: Entity` below the title of an export of Notion. */
export interface NoteText {
  /** The text without them. */
  readonly text: string
  /** The value of `type`; empty without one. */
  readonly declared: string
}

/** A property on a line of its own, at the top of a page or in a block's second line. */
const logseqProperty = /^[ \t]*(?:- )?([A-Za-z][\w-]*):: ?(.*)$/

/** Logseq's marks of a task, and a reference to another block. */
const marks = /^([ \t]*- )(?:TODO|DOING|DONE|NOW|LATER|WAITING|CANCELED|CANCELLED) | ?\(\([0-9a-f-]{36}\)\)/gm

const ofLogseq = (body: string): NoteText => {
  let declared = ""
  let fenced = false
  const kept = body.split("\n").filter((line) => {
    if (/^\s*(?:- )?(?:```|~~~)/.test(line)) fenced = !fenced
    const [, key, value = ""] = fenced ? [] : (logseqProperty.exec(line.trimEnd()) ?? [])
    if (key?.toLowerCase() === "type" && declared === "") declared = value.replace(/^\[\[|\]\]$/g, "")
    return key === undefined
  })
  return { text: kept.join("\n").replace(marks, "$1"), declared }
}

/** Notion writes a page's properties between its title and its text, one a line. */
const notionHead = /^(# [^\n]*\n+)((?:[^\s:#\-*>|][^\n:]{0,60}: [^\n]*\n)+)(?=\n|$)/

const ofNotion = (body: string): NoteText => {
  const plain = body.replaceAll("\r\n", "\n")
  const [whole = "", title = "", properties = ""] = notionHead.exec(plain) ?? []
  const [, declared = ""] = /^type: *(.*)$/im.exec(properties) ?? []
  return { text: title + plain.slice(whole.length), declared }
}

const isFromNotion = (path: string): boolean => / [0-9a-f]{32}\.md$/.test(path)

/** Whether a graph of Logseq could hold it: a page or a journal, or a text with properties as only Logseq writes them. */
const isFromLogseq = (path: string, body: string): boolean =>
  /(?:^|\/)(?:pages|journals)\/[^/]*$/.test(path) || /^(?:- )?[a-z][\w-]*:: /.test(body)

/** A note's text without what a program put there. */
export const noteText = (path: string, body: string): NoteText => {
  if (isFromNotion(path)) return ofNotion(body)
  return isFromLogseq(path, body) ? ofLogseq(body) : { text: body, declared: "" }
}

/** The names of a table's columns, from the first line of its CSV. */
export const columnsOf = (csv: string): ReadonlyArray<string> => {
  const first = /^\ufeff?((?:"(?:[^"]|"")*"|[^"\r\n])*)/.exec(csv)?.[1] ?? ""
  return [...first.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)]
    .map(([, quoted, plain = ""]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    .filter((name) => name !== "")
}

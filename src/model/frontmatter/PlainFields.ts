import { Option } from "effect"
import type { FieldValue } from "./FrontmatterEntries.ts"

/**
 * Reads the frontmatter that ctx writes, and nearly all that others do (unindented keys; scalars on one line; lists of such
 * scalars, below the key or in brackets), without a YAML parser: some twenty times faster, which a listing of 10,000 pages
 * feels. None for everything else and for anything doubtful, which then takes the parser's way. Where both give fields they
 * give the same; a property test holds them to it.
 */
export const readPlainFields = (yaml: string): Option.Option<ReadonlyMap<string, FieldValue>> => {
  const fields = new Map<string, FieldValue>()
  let items: Array<string> | undefined
  let indent: string | undefined
  for (const text of yaml.split("\n").slice(0, -1)) {
    const item = items === undefined ? null : itemLine.exec(text)
    if (item?.[2] !== undefined) {
      // Items at different depths are no list of scalars.
      if (indent !== undefined && item[1] !== indent) return Option.none()
      indent = item[1]
      items?.push(unquoted(item[2]))
      continue
    }
    // A key without value was an empty one only if no line said what it holds; the parser decides that.
    if (items?.length === 0) return Option.none()
    const [, key, value, list] = keyLine.exec(text) ?? []
    if (key === undefined || fields.has(key)) return Option.none()
    indent = undefined
    items = value === undefined && list === undefined ? [] : undefined
    fields.set(key, list === undefined ? (items ?? unquoted(value ?? "")) : [...list.matchAll(inBrackets)].map(first))
  }
  return items?.length === 0 || !yaml.endsWith("\n") ? Option.none() : Option.some(fields)
}

// Letters, digits, and in between all that means nothing in a plain scalar; or quotes with nothing to unescape.
const inner = String.raw`[A-Za-z0-9_ .,;/()@&+=*?!%~'"|<>$^\-\u00a1-\u02ff\u2010-\u2027\u2030-\u205e]`
const last = String.raw`[A-Za-z0-9_.,;/()+!?'\-\u00a1-\u02ff\u2010-\u2027\u2030-\u205e]`
const quoted = String.raw`"[^"\\\p{C}\u2028\u2029]*"`
const scalar = String.raw`(?:[A-Za-z0-9](?:(?:${inner}|:(?=[A-Za-z0-9]))*${last})?|${quoted})`
// In brackets a comma ends an item, and less is safe.
const flowItem = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9_ ./()+\-\u00a1-\u02ff]*[A-Za-z0-9_.()+\u00a1-\u02ff])?|${quoted})`
const flowList = String.raw`\[ *((?:${flowItem}(?: *, *${flowItem})*)?) *\]`
const itemLine = new RegExp(`^( {2,8})- (${scalar})$`, "u")
const keyLine = new RegExp(`^([a-z_]+):(?: (?:(${scalar})|${flowList}))?$`, "u")
const inBrackets = new RegExp(flowItem, "gu")

const unquoted = (text: string) => (text.startsWith('"') ? text.slice(1, -1) : text)

const first = ([text]: RegExpMatchArray) => unquoted(text)

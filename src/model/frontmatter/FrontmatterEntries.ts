import { Either } from "effect"
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml"
import type { Alias, Document, Node, ParsedNode, YAMLError, YAMLMap } from "yaml"

/** What a frontmatter key holds: text byte for byte, or a list of texts. Anything nested is given as its YAML text. */
export type FieldValue = string | ReadonlyArray<string>

/** One `key: value` of a frontmatter block, with where it stands. All offsets are into the YAML text. */
export interface Entry {
  readonly key: string
  readonly value: FieldValue
  /** First character of the line that the key begins. */
  readonly start: number
  /** Just after the last line of the value. */
  readonly end: number
  /** Just after the key, where its colon follows. */
  readonly keyEnd: number
  readonly valueStart: number
  readonly valueEnd: number
  readonly layout: Layout
}

/** How the value is written: on one line or over several, and for lists where their items stand. */
export type Layout =
  | { readonly _tag: "Scalar"; readonly block: boolean }
  | { readonly _tag: "Flow" }
  | { readonly _tag: "Block"; readonly indent: string; readonly itemEnds: ReadonlyArray<number> }
  | { readonly _tag: "Nested" }

/** The keys of a frontmatter block, in the order of the file. */
export interface Entries {
  readonly entries: ReadonlyArray<Entry>
  /** What stands before each key: nothing, as a rule. */
  readonly indent: string
  /** Whether the whole block is one `{...}`. */
  readonly flow: boolean
}

/**
 * Reads a frontmatter block with the `yaml` package and its failsafe schema, in which every scalar is the text that stands
 * there: `2026-06-03`, `010`, `on` and `null` are strings. Left is the reason in one line, with the line of the file.
 */
export const parseEntries = (yaml: string): Either.Either<Entries, string> =>
  Either.try({
    try: () => read(yaml),
    // The parser recurses: text nested thousands deep can exhaust the stack outside its own guard.
    catch: (cause) => (cause instanceof RangeError ? "it is nested too deeply" : oneLine(String(cause)))
  }).pipe(Either.flatMap((result) => result))

/** The fields alone, in the order of the file. */
export const fieldsOf = ({ entries }: Entries): ReadonlyMap<string, FieldValue> =>
  new Map(entries.map(({ key, value }) => [key, value]))

const maxAliases = 100

const read = (yaml: string): Either.Either<Entries, string> => {
  const lines = new LineCounter()
  const document = parseDocument(yaml, {
    schema: "failsafe",
    prettyErrors: false,
    // The package compares every key with every other; `repeatedKey` does not.
    uniqueKeys: false,
    lineCounter: lines,
    logLevel: "error"
  })
  const error = document.errors[0]
  // The opening fence is line 1 of the file.
  if (error !== undefined) return Either.left(`line ${lines.linePos(error.pos[0]).line + 1}: ${explain(error)}`)
  if (document.contents === null) return Either.right({ entries: [], indent: "", flow: false })
  if (!isMap<ParsedNode, ParsedNode | null>(document.contents))
    return Either.left("it is not a list of 'key: value' lines")
  const problem = aliasProblem(document) ?? repeatedKey(document)
  if (problem !== undefined) return Either.left(problem)
  const flow = document.contents.flow === true
  const entries = entriesOf(document, document.contents, yaml)
  return Either.right({ entries, flow, indent: flow ? "" : indentAt(yaml, document.contents.range?.[0] ?? 0) })
}

const entriesOf = (
  document: Document.Parsed,
  map: YAMLMap<ParsedNode, ParsedNode | null>,
  yaml: string
): ReadonlyArray<Entry> =>
  map.items.map((pair) => {
    const [keyStart, keyEnd] = pair.key.range
    const [valueStart, valueEnd] = pair.value?.range ?? [keyEnd, keyEnd]
    return {
      key: scalarText(pair.key, yaml),
      value: valueOf(document, pair.value, yaml),
      start: lineStart(yaml, keyStart),
      end: lineEnd(yaml, Math.max(keyEnd, valueEnd)),
      keyEnd,
      valueStart,
      valueEnd,
      layout: layoutOf(pair.value, yaml)
    }
  })

const valueOf = (document: Document.Parsed, node: ParsedNode | null, yaml: string): FieldValue => {
  const target = isAlias(node) ? node.resolve(document) : node
  return isSeq<ParsedNode>(target)
    ? target.items.map((item) => scalarText(isAlias(item) ? (item.resolve(document) ?? item) : item, yaml))
    : scalarText(target, yaml)
}

const scalarText = (node: Node | null | undefined, yaml: string): string => {
  if (node === null || node === undefined) return ""
  if (isScalar(node)) return typeof node.value === "string" ? node.value : ""
  return node.range ? dedented(yaml, node.range[0], node.range[1]) : ""
}

/** A nested value's YAML, as if it stood at the start of its line, with LF. */
const dedented = (yaml: string, start: number, end: number): string => {
  const column = " ".repeat(start - lineStart(yaml, start))
  const lines = yaml.slice(start, end).trimEnd().split(/\r?\n/)
  return lines.map((line) => (line.startsWith(column) ? line.slice(column.length) : line)).join("\n")
}

const layoutOf = (node: ParsedNode | null, yaml: string): Layout => {
  if (isSeq<ParsedNode>(node) && node.flow !== true) {
    return {
      _tag: "Block",
      indent: indentAt(yaml, node.range[0]),
      itemEnds: node.items.map((item) => lineEnd(yaml, item.range[1]))
    }
  }
  if (isSeq(node)) return { _tag: "Flow" }
  if (isScalar(node) || isAlias(node) || node === null) {
    return { _tag: "Scalar", block: isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED") }
  }
  return { _tag: "Nested" }
}

/** The start of the line that `offset` is in. */
const lineStart = (text: string, offset: number) => (offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1)

/** The start of the line after the one that ends the value at `offset`. */
const lineEnd = (text: string, offset: number) => {
  if (offset > 0 && text[offset - 1] === "\n") return offset
  const found = text.indexOf("\n", offset)
  return found === -1 ? text.length : found + 1
}

const indentAt = (text: string, offset: number) => text.slice(lineStart(text, offset), offset)

const aliasProblem = (document: Document.Parsed): string | undefined => {
  const aliases: Array<Alias> = []
  visit(document, {
    Alias: (_, alias) => (aliases.push(alias) > maxAliases ? visit.BREAK : undefined)
  })
  if (aliases.length > maxAliases) return `it holds more than ${maxAliases} aliases`
  const lost = aliases.find((alias) => alias.resolve(document) === undefined)
  return lost === undefined ? undefined : `the alias *${lost.source} names no anchor`
}

const repeatedKey = (document: Document.Parsed): string | undefined => {
  let found: string | undefined
  visit(document, {
    Map: (_, map) => {
      const seen = new Set<string>()
      for (const pair of map.items) {
        const key = isScalar(pair.key) ? String(pair.key.value) : undefined
        if (key === undefined) continue
        if (seen.has(key)) {
          found = `the key ${JSON.stringify(key)} stands there twice`
          return visit.BREAK
        }
        seen.add(key)
      }
      return undefined
    }
  })
  return found
}

const hints: Partial<Record<YAMLError["code"], string>> = {
  BLOCK_AS_IMPLICIT_KEY: "put a value that holds ': ' in quotes",
  BAD_SCALAR_START: "put the value in quotes",
  TAB_AS_INDENT: "indent with spaces"
}

const explain = (error: YAMLError): string => {
  if (error.message.startsWith("Maximum call stack")) return "it is nested too deeply"
  const hint = error.message.startsWith("Comments must be")
    ? "put a value that begins with '#' in quotes"
    : hints[error.code]
  return hint === undefined ? oneLine(error.message) : `${oneLine(error.message)} (${hint})`
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

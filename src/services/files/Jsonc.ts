import { Either, Option, Predicate } from "effect"
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser"
import { lineAt } from "./JsonFile.ts"

/**
 * Edits of JSON and JSONC by splicing: what is not edited stays as it is, byte for byte, with its comments, order,
 * indentation and line ends. Pure. Left is always the reason why a text cannot be edited.
 */

/** Replaces `length` characters at `offset`. */
export interface Splice {
  readonly offset: number
  readonly length: number
  readonly content: string
}

/** The object that a document holds. */
export const parseDocument = (text: string): Either.Either<Node, string> => {
  const errors: Array<ParseError> = []
  // A BOM is not JSON; a blank in its place keeps every offset.
  const tree = Either.try(() => parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true }))
  if (Either.isLeft(tree)) return Either.left("it is nested too deeply")
  const [first] = errors
  if (first !== undefined) {
    return Either.left(`it is not valid JSON, line ${lineAt(text, first.offset)}: ${printParseErrorCode(first.error)}`)
  }
  return tree.right?.type === "object" ? Either.right(tree.right) : Either.left("it does not hold a JSON object")
}

/** A member of an object, as its property node. A key that is there twice has no clear meaning, so it is not edited. */
export const memberOf = (object: Node, key: string): Either.Either<Option.Option<Node>, string> => {
  const found = childrenOf(object).filter((property) => property.children?.[0]?.value === key)
  return found.length > 1
    ? Either.left(`it has the key ${JSON.stringify(key)} twice`)
    : Either.right(Option.fromNullable(found[0]))
}

/** A member of an object that must be an object itself. */
export const objectMember = (object: Node, key: string): Either.Either<Option.Option<Node>, string> =>
  Either.flatMap(memberOf(object, key), (property) => {
    const value = Option.flatMap(property, valueOf)
    return Option.isSome(value) && value.value.type !== "object"
      ? Either.left(`its ${JSON.stringify(key)} is not an object`)
      : Either.right(value)
  })

/** What a document says; None where it is not valid. */
export const valueIn = (text: string): Option.Option<unknown> =>
  Option.map(Either.getRight(parseDocument(text)), (root): unknown => getNodeValue(root))

/** The value of a property node. */
export const valueOf = (property: Node): Option.Option<Node> => Option.fromNullable(property.children?.[1])

/** Adds a member at the end of an object, in the layout that the object has. */
export const insertMember = (text: string, object: Node, key: string, value: unknown): ReadonlyArray<Splice> =>
  insertLast(text, object, value, (printed) => `${JSON.stringify(key)}: ${printed}`)

/** Adds an element at the end of an array, in the layout that the array has. */
export const insertElement = (text: string, array: Node, value: unknown): ReadonlyArray<Splice> =>
  insertLast(text, array, value, (printed) => printed)

const insertLast = (
  text: string,
  object: Node,
  value: unknown,
  entry: (printed: string) => string
): ReadonlyArray<Splice> => {
  const close = endOf(object) - 1
  const inner = text.slice(object.offset + 1, close)
  const tail = /\s*$/.exec(inner)?.[0] ?? ""
  const at = close - tail.length
  const last = childrenOf(object).at(-1)
  const comma = last === undefined || Option.isSome(commaAfter(text, endOf(last))) ? [] : [insert(endOf(last), ",")]
  if (isOneLine(text, object)) {
    return [...comma, insert(at, (inner.trim() === "" ? "" : " ") + entry(compact(value)))]
  }
  const eol = eolOf(text)
  const outer = indentAt(text, object.offset)
  const indent = last === undefined ? outer + unitOf(text) : indentAt(text, last.offset)
  const line = eol + indent + entry(pretty(text, indent, value))
  return last === undefined && !tail.includes("\n")
    ? [{ offset: at, length: tail.length, content: line + eol + outer }]
    : [...comma, insert(at, line)]
}

/** Gives a property another value, in the layout of the object around it. */
export const replaceValue = (text: string, object: Node, property: Node, value: unknown): ReadonlyArray<Splice> =>
  Option.match(valueOf(property), {
    onNone: () => [],
    onSome: (node) => [replaceNode(text, object, node, value)]
  })

/** Puts another value in the place of a value that an object or array holds, in the layout around it. */
export const replaceNode = (text: string, container: Node, node: Node, value: unknown): Splice => ({
  offset: node.offset,
  length: node.length,
  content:
    isOneLine(text, container) || isOneLine(text, node)
      ? compact(value)
      : pretty(text, indentAt(text, node.offset), value)
})

/** Takes a member or element away, with the comma and the blanks that belong to it. Comments stay. */
export const removeMember = (text: string, object: Node, property: Node): ReadonlyArray<Splice> => {
  const members = childrenOf(object)
  const index = members.indexOf(property)
  const before = members[index - 1]
  const blanks = /\s*$/.exec(text.slice(object.offset + 1, property.offset))?.[0].length ?? 0
  const following = commaAfter(text, endOf(property))
  const end = Option.match(following, { onNone: () => endOf(property), onSome: (comma) => comma + 1 })
  const start = property.offset - blanks
  // What follows on the same line must not slide into a line comment.
  const slides = !/^[ \t]*(\r?\n|$)/.test(text.slice(end)) && text.slice(lineStart(text, start), start).includes("//")
  const from = slides ? property.offset : start
  const cut = { offset: from, length: end - from, content: "" }
  const dangling = before === undefined || Option.isSome(following) ? Option.none() : commaAfter(text, endOf(before))
  return Option.isSome(dangling) ? [{ offset: dangling.value, length: 1, content: "" }, cut] : [cut]
}

/** Whether an object or array holds nothing, no comment either, once a member or element is gone. */
export const isEmptyWithout = (text: string, object: Node, property: Node): boolean =>
  childrenOf(object).length === 1 &&
  (text.slice(object.offset + 1, property.offset) + text.slice(endOf(property), endOf(object) - 1))
    .replace(",", "")
    .trim() === ""

/** Sets members of a document's own object; an empty document becomes one, with a line end. */
export const setMembers = (before: string, members: Readonly<Record<string, string>>): Either.Either<string, string> =>
  Either.gen(function* () {
    if (isBlank(before)) return `${JSON.stringify(members, null, 2)}\n`
    let text = before
    for (const [key, value] of Object.entries(members)) {
      const root = yield* parseDocument(text)
      const member = yield* memberOf(root, key)
      const same = Option.exists(Option.flatMap(member, valueOf), (node) => node.value === value)
      if (same) continue
      const splices = Option.match(member, {
        onNone: () => insertMember(text, root, key, value),
        onSome: (property) => replaceValue(text, root, property, value)
      })
      text = applySplices(text, splices)
    }
    return text
  })

/** Whether a text holds nothing at all. */
export const isBlank = (text: string): boolean => text.replace(/^\uFEFF/, "").trim() === ""

/** Applies splices that do not overlap; those at one offset in their order. */
export const applySplices = (text: string, splices: ReadonlyArray<Splice>): string => {
  let result = ""
  let from = 0
  for (const { content, length, offset } of splices.toSorted((one, other) => one.offset - other.offset)) {
    result += text.slice(from, offset) + content
    from = offset + length
  }
  return result + text.slice(from)
}

const insert = (offset: number, content: string): Splice => ({ offset, length: 0, content })

const childrenOf = (object: Node): ReadonlyArray<Node> => object.children ?? []

const endOf = (node: Node): number => node.offset + node.length

/** Offset of the comma that follows, comments and blanks between. */
const commaAfter = (text: string, offset: number): Option.Option<number> => {
  const skipped = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(offset))?.[0].length ?? 0
  return text[offset + skipped] === "," ? Option.some(offset + skipped) : Option.none()
}

/** Whether an object or array is written on one line; an empty one follows the document. */
const isOneLine = (text: string, node: Node): boolean => {
  if (childrenOf(node).length > 0) return !text.slice(node.offset, endOf(node)).includes("\n")
  return /\S/.test(text.slice(0, node.offset)) && !text.trim().includes("\n")
}

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

const lineStart = (text: string, offset: number): number => text.lastIndexOf("\n", offset - 1) + 1

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, offset)))?.[0] ?? ""

/** One step of indentation: that of the first indented line. */
const unitOf = (text: string): string => /^([ \t]+)["}\]/]/m.exec(text)?.[1] ?? "  "

const pretty = (text: string, indent: string, value: unknown): string =>
  JSON.stringify(value, null, unitOf(text)).replaceAll("\n", eolOf(text) + indent)

const compact = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(compact).join(", ")}]`
  if (!Predicate.isReadonlyRecord(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${compact(one)}`)
    .join(", ")}}`
}

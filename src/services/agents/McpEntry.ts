import { Either, Option, Predicate } from "effect"
import { getNodeValue, type Node } from "jsonc-parser"
import { type Edited, type Undo, undone } from "./Change.ts"
import {
  applySplices,
  insertMember,
  isBlank,
  isEmptyWithout,
  memberOf,
  parseDocument,
  removeMember,
  replaceValue,
  type Splice,
  valueOf
} from "./Jsonc.ts"

/** How an agent starts our MCP server; the same in every release. */
export const mcpEntry = { command: "npx", args: ["-y", "ctx-mcp"] } as const

/** Name under which agents know the server. */
const serverName = "contexo"

/**
 * Puts our server into an agent's `.mcp.json` or `.cursor/mcp.json`. Everything else in the file stays byte for byte.
 * An entry of that name which starts `ctx-mcp` in its own way (a version, a checkout, a URL) is left alone; any other,
 * such as the Go client's `ctx mcp`, gets our command and arguments in place and keeps its further keys.
 *
 * @param before The file's text; None where there is no file.
 * @returns Left: why the text cannot be edited (it is not JSON, or `mcpServers` is no object).
 */
export const wire = (before: Option.Option<string>): Either.Either<Edited, string> =>
  Either.gen(function* () {
    const text = Option.getOrElse(before, () => "")
    if (isBlank(text)) {
      const document = `${JSON.stringify({ mcpServers: { [serverName]: mcpEntry } }, null, 2)}\n`
      return { after: document, change: Option.isNone(before) ? "created" : "added" }
    }
    const root = yield* parseDocument(text)
    const servers = yield* objectMember(root, "mcpServers")
    const edit = (splices: ReadonlyArray<Splice>, change: Edited["change"]): Edited => ({
      after: applySplices(text, splices),
      change
    })
    if (Option.isNone(servers)) {
      return edit(insertMember(text, root, "mcpServers", { [serverName]: mcpEntry }), "added")
    }
    const entry = yield* memberOf(servers.value, serverName)
    if (Option.isNone(entry)) return edit(insertMember(text, servers.value, serverName, mcpEntry), "added")
    if (Option.exists(valueOf(entry.value), startsUs)) return { after: text, change: "present" }
    return edit(yield* replaceEntry(text, servers.value, entry.value), "replaced")
  })

/**
 * Takes our server out again. With what `wire` made known, the text is exactly what it was, as far as our entry goes;
 * without (the Go client wired it), the entry goes, and what is empty then.
 *
 * @returns None: nothing is left, and the file can go.
 */
export const unwire = (text: string, undo: Option.Option<Undo>): Either.Either<Option.Option<string>, string> =>
  Either.gen(function* () {
    if (isBlank(text)) return Option.some(text)
    const removed = yield* withoutEntry(text)
    const exact = Option.flatMap(undo, (known) => undone(text, known))
    return Option.getOrElse(
      Option.filter(exact, (candidate) => sameServers(candidate, removed)),
      () => removed
    )
  })

const withoutEntry = (text: string): Either.Either<Option.Option<string>, string> =>
  Either.gen(function* () {
    const root = yield* parseDocument(text)
    const property = yield* memberOf(root, "mcpServers")
    const servers = yield* objectMember(root, "mcpServers")
    if (Option.isNone(property) || Option.isNone(servers)) return Option.some(text)
    const entry = yield* memberOf(servers.value, serverName)
    if (Option.isNone(entry)) return Option.some(text)
    if (!isEmptyWithout(text, servers.value, entry.value)) {
      return Option.some(applySplices(text, removeMember(text, servers.value, entry.value)))
    }
    return isEmptyWithout(text, root, property.value) && text.trim().startsWith("{") && text.trim().endsWith("}")
      ? Option.none()
      : Option.some(applySplices(text, removeMember(text, root, property.value)))
  })

/** Whether two texts are valid and say the same, an empty `mcpServers` aside. */
const sameServers = (one: Option.Option<string>, other: Option.Option<string>): boolean =>
  Option.exists(meaningOf(one), (meaning) => Option.contains(meaningOf(other), meaning))

const meaningOf = (text: Option.Option<string>): Option.Option<string> => {
  if (Option.isNone(text) || isBlank(text.value)) return Option.some("{}")
  return Option.map(Either.getRight(parseDocument(text.value)), (root) => {
    const value: unknown = getNodeValue(root)
    if (!Predicate.isRecord(value)) return ""
    const { mcpServers, ...rest } = value
    return JSON.stringify(isEmptyRecord(mcpServers) ? rest : value)
  })
}

const isEmptyRecord = (value: unknown): boolean => Predicate.isRecord(value) && Object.keys(value).length === 0

const objectMember = (object: Node, key: string): Either.Either<Option.Option<Node>, string> =>
  Either.flatMap(memberOf(object, key), (property) => {
    const value = Option.flatMap(property, valueOf)
    return Option.isSome(value) && value.value.type !== "object"
      ? Either.left(`its ${JSON.stringify(key)} is not an object`)
      : Either.right(value)
  })

/** Whether an entry starts ctx-mcp already, in whatever way. */
const startsUs = (node: Node): boolean => {
  const entry: unknown = getNodeValue(node)
  if (!Predicate.isRecord(entry)) return false
  if (Predicate.isString(entry["url"])) return true
  const args: ReadonlyArray<unknown> = Array.isArray(entry["args"]) ? entry["args"] : []
  return [entry["command"], ...args].some((part) => Predicate.isString(part) && isOurProgram.test(part))
}

const isOurProgram = /(^|[\\/])ctx-mcp(@[^\\/]*|\.[cm]?[jt]s|\.cmd|\.exe)?$/

/** Our command and arguments in place of an older entry's; its other keys stay. */
const replaceEntry = (text: string, servers: Node, property: Node): Either.Either<ReadonlyArray<Splice>, string> =>
  Either.gen(function* () {
    const entry = valueOf(property)
    if (Option.isNone(entry) || entry.value.type !== "object") return replaceValue(text, servers, property, mcpEntry)
    const command = yield* memberOf(entry.value, "command")
    const args = yield* memberOf(entry.value, "args")
    if (Option.isNone(command)) return replaceValue(text, servers, property, mcpEntry)
    return [
      ...replaceValue(text, entry.value, command.value, mcpEntry.command),
      ...Option.match(args, {
        onNone: () => insertMember(text, entry.value, "args", mcpEntry.args),
        onSome: (found) => replaceValue(text, entry.value, found, mcpEntry.args)
      })
    ]
  })

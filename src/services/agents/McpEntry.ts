import { Either, Option, Predicate } from "effect"
import { getNodeValue, type Node } from "jsonc-parser"
import type { Edited } from "./Change.ts"
import type { Edit } from "./Edit.ts"
import {
  applySplices,
  insertMember,
  isBlank,
  isEmptyWithout,
  memberOf,
  objectMember,
  parseDocument,
  removeMember,
  replaceValue,
  type Splice,
  valueIn,
  valueOf
} from "../files/Jsonc.ts"

/** How an agent starts our MCP server; the same in every release. */
export const mcpEntry = { command: "npx", args: ["-y", "ctx-mcp"] } as const

/** Name under which agents know the server. */
export const serverName = "contexo"

/**
 * Our server in an agent's JSON settings, below `key`. An entry of that name which starts `ctx-mcp` in its own way (a
 * version, a checkout, a URL) is left alone; any other, such as the Go client's `ctx mcp`, gets our command in place and
 * keeps its further keys.
 *
 * @param key Where the agent keeps its servers.
 * @param entry What stands there for us.
 */
export const mcpServer = (key: string, entry: Readonly<Record<string, unknown>>): Edit => ({
  wire: (before) =>
    Either.gen(function* () {
      const text = Option.getOrElse(before, () => "")
      if (isBlank(text)) {
        const document = `${JSON.stringify({ [key]: { [serverName]: entry } }, null, 2)}\n`
        return { after: document, change: Option.isNone(before) ? "created" : "added" }
      }
      const root = yield* parseDocument(text)
      const servers = yield* objectMember(root, key)
      const edit = (splices: ReadonlyArray<Splice>, change: Edited["change"]): Edited => ({
        after: applySplices(text, splices),
        change
      })
      if (Option.isNone(servers)) return edit(insertMember(text, root, key, { [serverName]: entry }), "added")
      const found = yield* memberOf(servers.value, serverName)
      if (Option.isNone(found)) return edit(insertMember(text, servers.value, serverName, entry), "added")
      if (Option.exists(valueOf(found.value), (node) => startsUs(getNodeValue(node)))) {
        return { after: text, change: "present" }
      }
      return edit(yield* replaceEntry(text, servers.value, found.value, entry), "replaced")
    }),
  unwire: (text) =>
    Either.gen(function* () {
      if (isBlank(text)) return Option.some(text)
      const root = yield* parseDocument(text)
      const property = yield* memberOf(root, key)
      const servers = yield* objectMember(root, key)
      if (Option.isNone(property) || Option.isNone(servers)) return Option.some(text)
      const found = yield* memberOf(servers.value, serverName)
      if (Option.isNone(found)) return Option.some(text)
      if (!isEmptyWithout(text, servers.value, found.value)) {
        return Option.some(applySplices(text, removeMember(text, servers.value, found.value)))
      }
      return isEmptyWithout(text, root, property.value) && isBare(text)
        ? Option.none()
        : Option.some(applySplices(text, removeMember(text, root, property.value)))
    }),
  find: (text) =>
    Either.gen(function* () {
      if (isBlank(text)) return "absent"
      const servers = yield* objectMember(yield* parseDocument(text), key)
      const found = Option.isSome(servers) ? yield* memberOf(servers.value, serverName) : Option.none()
      return Option.match(Option.flatMap(found, valueOf), {
        onNone: () => "absent",
        onSome: (node) => (startsUs(getNodeValue(node)) ? "wired" : "stale")
      })
    }),
  parse: valueIn
})

/** Our server below `mcpServers`, where most agents keep theirs. */
export const mcpServers = mcpServer("mcpServers", mcpEntry)

/** Whether nothing, no comment either, stands around a document's object. */
const isBare = (text: string): boolean => text.trim().startsWith("{") && text.trim().endsWith("}")

/** Whether an entry starts ctx-mcp already, in whatever way. */
export const startsUs = (entry: unknown): boolean => {
  if (!Predicate.isRecord(entry)) return false
  if (Predicate.isString(entry["url"])) return true
  const parts: ReadonlyArray<unknown> = [entry["command"], entry["args"]].flat()
  return parts.some((part) => Predicate.isString(part) && isOurProgram.test(part))
}

const isOurProgram = /(^|[\\/])ctx-mcp(@[^\\/]*|\.[cm]?[jt]s|\.cmd|\.exe)?$/

/** Our command and what goes with it in place of an older entry's; its other keys stay. */
const replaceEntry = (
  text: string,
  servers: Node,
  property: Node,
  entry: Readonly<Record<string, unknown>>
): Either.Either<ReadonlyArray<Splice>, string> =>
  Either.gen(function* () {
    const old = valueOf(property)
    if (Option.isNone(old) || old.value.type !== "object") return replaceValue(text, servers, property, entry)
    if (Option.isNone(yield* memberOf(old.value, "command"))) return replaceValue(text, servers, property, entry)
    const splices: Array<Splice> = []
    for (const [key, value] of Object.entries(entry)) {
      const member = yield* memberOf(old.value, key)
      splices.push(
        ...Option.match(member, {
          onNone: () => insertMember(text, old.value, key, value),
          onSome: (found) => replaceValue(text, old.value, found, value)
        })
      )
    }
    return splices
  })

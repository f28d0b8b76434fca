import { Either, Option, Predicate } from "effect"
import type { TomlTable } from "smol-toml"
import { applySplices } from "../files/Jsonc.ts"
import { canonical, type Edit, pruned } from "./Edit.ts"
import { hookCommand, runsOurHook } from "./HookEntries.ts"
import { mcpEntry, serverName, startsUs } from "./McpEntry.ts"
import { appendBlocks, cutItems, type Item, itemsOf, parseToml } from "./Toml.ts"

const byHand = (what: string) => `its ${what} is written in a form that ctx does not edit; change it by hand`

const command = `command = ${JSON.stringify(mcpEntry.command)}`
const args = `args = [${mcpEntry.args.map((one) => JSON.stringify(one)).join(", ")}]`

/** Our server in Codex's `config.toml`, as `[mcp_servers.contexo]`. */
export const tomlServer: Edit = {
  wire: (before) =>
    Either.gen(function* () {
      const text = Option.getOrElse(before, () => "")
      const document = yield* parseToml(text)
      const { [serverName]: old, ...others } = yield* serversOf(document)
      if (startsUs(old)) return { after: text, change: "present" }
      const after =
        old === undefined
          ? appendBlocks(text, [[`[mcp_servers.${serverName}]`, command, args]])
          : replaceServer(text, itemsOf(text))
      const expected = { ...others, [serverName]: { ...(isTable(old) ? old : {}), ...mcpEntry } }
      const checked = yield* checkedEdit(after, { ...document, mcp_servers: expected }, "mcp_servers")
      return {
        after: checked,
        change: old !== undefined ? "replaced" : Option.isNone(before) ? "created" : "added"
      }
    }),
  unwire: (text) =>
    Either.gen(function* () {
      const document = yield* parseToml(text)
      const { [serverName]: old, ...others } = yield* serversOf(document)
      if (old === undefined) return Option.some(text)
      const ours = itemsOf(text).filter(({ path }) => path[0] === "mcp_servers" && path[1] === serverName)
      const expected = { ...document, mcp_servers: others }
      return fileOf(yield* checkedEdit(cutItems(text, ours), expected, "mcp_servers"))
    }),
  find: (text) =>
    Either.gen(function* () {
      const { [serverName]: entry } = yield* serversOf(yield* parseToml(text))
      return entry === undefined ? "absent" : startsUs(entry) ? "wired" : "stale"
    }),
  parse: (text) => Either.getRight(parseToml(text))
}

/** Our hooks in Kimi's `config.toml`, as one `[[hooks]]` for each event. */
export const tomlHooks = (agent: string, events: ReadonlyArray<string>): Edit => ({
  wire: (before) =>
    Either.gen(function* () {
      const text = Option.getOrElse(before, () => "")
      const document = yield* parseToml(text)
      const hooks = yield* hooksOf(document)
      const missing = events.filter((event) => !hooks.some((hook) => isOurs(hook) && eventOf(hook) === event))
      if (missing.length === 0) return { after: text, change: "present" }
      // An empty list that is written out leaves no room for tables.
      const empty = hooks.length === 0 ? itemsOf(text).filter(isHooksKey) : []
      const blocks = missing.map((event) => [
        "[[hooks]]",
        `event = ${JSON.stringify(event)}`,
        `command = ${JSON.stringify(hookCommand(agent))}`
      ])
      const added = missing.map((event) => ({ event, command: hookCommand(agent) }))
      const after = appendBlocks(cutItems(text, empty), blocks)
      return {
        after: yield* checkedEdit(after, { ...document, hooks: [...hooks, ...added] }, "hooks"),
        change: Option.isNone(before) ? "created" : "added"
      }
    }),
  unwire: (text) =>
    Either.gen(function* () {
      const document = yield* parseToml(text)
      const hooks = yield* hooksOf(document)
      if (!hooks.some(isOurs)) return Option.some(text)
      const blocks = hookBlocks(itemsOf(text)).filter((_block, index) => isOurs(hooks[index]))
      const expected = { ...document, hooks: hooks.filter((hook) => !isOurs(hook)) }
      return fileOf(yield* checkedEdit(cutItems(text, blocks.flat()), expected, "hooks"))
    }),
  find: (text) =>
    Either.gen(function* () {
      const ours = (yield* hooksOf(yield* parseToml(text))).filter(isOurs)
      if (ours.length === 0) return "absent"
      return events.every((event) => ours.some((hook) => eventOf(hook) === event)) ? "wired" : "partial"
    }),
  parse: (text) => Either.getRight(parseToml(text))
})

/** An edit's result, if it says what it should: a text written in another form than expected is left alone. */
const checkedEdit = (after: string, expected: unknown, what: string): Either.Either<string, string> =>
  Either.flatMap(
    Either.mapLeft(parseToml(after), () => byHand(what)),
    (document) =>
      canonical(pruned(document)) === canonical(pruned(expected)) ? Either.right(after) : Either.left(byHand(what))
  )

const fileOf = (text: string): Option.Option<string> =>
  Option.liftPredicate(text, (rest) => rest.replace(/^\uFEFF/, "").trim() !== "")

const isTable = (value: unknown): value is { readonly [key: string]: unknown } => Predicate.isRecord(value)

const serversOf = (document: TomlTable): Either.Either<{ readonly [key: string]: unknown }, string> => {
  const servers = document["mcp_servers"] ?? {}
  return isTable(servers) ? Either.right(servers) : Either.left("its mcp_servers is not a table")
}

/** Our command and arguments in place of an older entry's. */
const replaceServer = (text: string, items: ReadonlyArray<Item>): string => {
  const own = (key: string) =>
    items.find(({ kind, path }) => kind === "key" && path.join("\n") === `mcp_servers\n${serverName}\n${key}`)
  const [oldCommand, oldArgs] = [own("command"), own("args")]
  if (oldCommand === undefined) return text
  const splice = ({ valueEnd, valueStart }: Item, line: string) => ({
    offset: valueStart,
    length: valueEnd - valueStart,
    content: line.slice(line.indexOf("=") + 2)
  })
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  return applySplices(text, [
    splice(oldCommand, command),
    oldArgs === undefined ? { offset: oldCommand.valueEnd, length: 0, content: eol + args } : splice(oldArgs, args)
  ])
}

const hooksOf = (document: TomlTable): Either.Either<ReadonlyArray<unknown>, string> => {
  const hooks: unknown = document["hooks"] ?? []
  return Array.isArray(hooks) ? Either.right(hooks) : Either.left("its hooks is not a list of tables")
}

const isOurs = (hook: unknown): boolean => isTable(hook) && runsOurHook(hook["command"])

const eventOf = (hook: unknown): unknown => (isTable(hook) ? hook["event"] : undefined)

const isHooksKey = ({ kind, path }: Item): boolean => kind === "key" && path.length === 1 && path[0] === "hooks"

/** The items of each `[[hooks]]`, in their order. */
const hookBlocks = (items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const blocks: Array<Array<Item>> = []
  let inside = false
  for (const item of items) {
    if (item.kind !== "key") inside = item.path[0] === "hooks"
    if (item.kind === "list" && item.path.length === 1 && inside) blocks.push([])
    if (inside) blocks.at(-1)?.push(item)
  }
  return blocks
}

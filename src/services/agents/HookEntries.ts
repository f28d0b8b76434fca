import { Either, Option, Predicate } from "effect"
import { getNodeValue, type Node } from "jsonc-parser"
import type { Edited } from "./Change.ts"
import type { Edit, Found } from "./Edit.ts"
import {
  applySplices,
  insertElement,
  insertMember,
  isBlank,
  isEmptyWithout,
  memberOf,
  objectMember,
  parseDocument,
  removeMember,
  replaceNode,
  valueIn,
  valueOf
} from "../files/Jsonc.ts"

/** How a host writes its hooks in JSON. */
export interface HookShape {
  /** The host as our hook entry knows it. */
  readonly agent: string
  readonly events: ReadonlyArray<string>
  /** `groups`: handlers stand in groups with a matcher (Claude Code's shape). `flat`: right below the event (Cursor's). */
  readonly layout: "groups" | "flat"
  /** After how long the host gives up on us, in its own unit. */
  readonly timeout?: number
  /** What the document says at its top beside the hooks. */
  readonly version?: number
}

/** The same in every release: Codex asks the person again when it changes. */
export const hookCommand = (agent: string): string => `ctx-mcp hook --agent ${agent}`

/** Whether a command runs our hook entry, from wherever. */
export const runsOurHook = (command: unknown): boolean =>
  Predicate.isString(command) && /(^|[\s\\/"'])ctx-mcp(@\S*|\.[cm]?js|\.cmd|\.exe)?["']?\s+hook(\s|$)/.test(command)

/** Whether a command is the public Go client's hook. */
const runsGoHook = (command: unknown): boolean =>
  Predicate.isString(command) && /(^|[\s\\/])ctx(\.exe)?\s+capture\s+turn(\s|$)/.test(command)

/**
 * Our capture hook in a host's JSON settings, once for each event. Hooks of the Go client are replaced in place, those of
 * others stay as they are.
 */
export const jsonHooks = (shape: HookShape): Edit => ({
  wire: (before) =>
    Either.gen(function* () {
      const text = Option.getOrElse(before, () => "")
      if (isBlank(text)) {
        const hooks = Object.fromEntries(shape.events.map((event) => [event, [entryOf(shape)]]))
        const top = shape.version === undefined ? {} : { version: shape.version }
        const document = `${JSON.stringify({ ...top, hooks }, null, 2)}\n`
        return { after: document, change: Option.isNone(before) ? "created" : "added" }
      }
      let after = text
      let replaced = false
      for (const event of shape.events) {
        const step = yield* wireEvent(shape, after, event)
        after = step.after
        replaced ||= step.change === "replaced"
      }
      if (after === text) return { after, change: "present" }
      return { after: yield* withVersion(shape, after), change: replaced ? "replaced" : "added" }
    }),
  unwire: (text) =>
    Either.gen(function* () {
      let rest = text
      while (!isBlank(rest)) {
        const root = yield* parseDocument(rest)
        const [ours] = yield* handlersIn(shape, root)
        if (ours === undefined) break
        const without = withoutHandler(shape, rest, root, ours)
        if (Option.isNone(without)) return Option.none()
        rest = without.value
      }
      return Option.some(rest)
    }),
  find: (text) =>
    Either.gen(function* () {
      if (isBlank(text)) return "absent"
      const handlers = yield* handlersIn(shape, yield* parseDocument(text))
      const missing = shape.events.filter((event) => !handlers.some((one) => one.event === event && !one.stale))
      const found: Found =
        handlers.length === 0
          ? "absent"
          : handlers.some(({ stale }) => stale)
            ? "stale"
            : missing.length > 0
              ? "partial"
              : "wired"
      return found
    }),
  parse: (text) =>
    Option.map(valueIn(text), (value) => {
      if (shape.version === undefined || !Predicate.isRecord(value)) return value
      const { version: _version, ...rest } = value
      return rest
    })
})

const handlerOf = ({ agent, layout, timeout }: HookShape) => ({
  ...(layout === "groups" ? { type: "command" } : {}),
  command: hookCommand(agent),
  ...(timeout === undefined ? {} : { timeout })
})

const entryOf = (shape: HookShape) => (shape.layout === "groups" ? { hooks: [handlerOf(shape)] } : handlerOf(shape))

/** A handler of ours, or of the Go client, in a document. */
interface Handler {
  readonly event: string
  readonly stale: boolean
  readonly node: Node
  /** The array that it stands in. */
  readonly list: Node
  /** What goes when it goes: itself, or the group that it stands alone in. */
  readonly entry: Node
  /** The array below the event. */
  readonly entries: Node
}

const eventsIn = (root: Node): Either.Either<Option.Option<Node>, string> => objectMember(root, "hooks")

const arrayBelow = (object: Node, key: string): Either.Either<Option.Option<Node>, string> =>
  Either.flatMap(memberOf(object, key), (member) => {
    const value = Option.flatMap(member, valueOf)
    return Option.isSome(value) && value.value.type !== "array"
      ? Either.left(`its hooks for ${JSON.stringify(key)} are not a list`)
      : Either.right(value)
  })

const handlersIn = (shape: HookShape, root: Node): Either.Either<ReadonlyArray<Handler>, string> =>
  Either.gen(function* () {
    const hooks = yield* eventsIn(root)
    if (Option.isNone(hooks)) return []
    const found: Array<Handler> = []
    for (const property of hooks.value.children ?? []) {
      const event = String(property.children?.[0]?.value)
      const entries = Option.getOrUndefined(valueOf(property))
      if (entries?.type === "array") found.push(...handlersOf(shape, event, entries))
    }
    return found
  })

const handlersOf = (shape: HookShape, event: string, entries: Node): ReadonlyArray<Handler> => {
  const handler = (list: Node, node: Node, entry: Node): ReadonlyArray<Handler> => {
    const value: unknown = getNodeValue(node)
    if (!Predicate.isRecord(value)) return []
    const stale = runsGoHook(value["command"]) || value["_contexo"] === "contexo-capture-turn"
    return stale || runsOurHook(value["command"]) ? [{ event, stale, node, list, entry, entries }] : []
  }
  const elements = entries.children ?? []
  if (shape.layout === "flat") return elements.flatMap((node) => handler(entries, node, node))
  return elements.flatMap((group) => {
    const list = group.type === "object" ? Option.getOrUndefined(listOf(group)) : undefined
    if (list === undefined) return []
    const alone = list.children?.length === 1
    return (list.children ?? []).flatMap((node) => handler(list, node, alone ? group : node))
  })
}

const listOf = (group: Node): Option.Option<Node> =>
  Option.filter(
    Option.flatMap(Option.flatten(Either.getRight(memberOf(group, "hooks"))), valueOf),
    ({ type }) => type === "array"
  )

const wireEvent = (shape: HookShape, text: string, event: string): Either.Either<Edited, string> =>
  Either.gen(function* () {
    const root = yield* parseDocument(text)
    const hooks = yield* eventsIn(root)
    if (Option.isNone(hooks)) {
      return edited(text, insertMember(text, root, "hooks", { [event]: [entryOf(shape)] }))
    }
    const entries = yield* arrayBelow(hooks.value, event)
    if (Option.isNone(entries)) return edited(text, insertMember(text, hooks.value, event, [entryOf(shape)]))
    const handlers = handlersOf(shape, event, entries.value)
    const stale = handlers.find((one) => one.stale)
    if (handlers.some((one) => !one.stale)) return { after: text, change: "present" }
    return stale === undefined
      ? edited(text, insertElement(text, entries.value, entryOf(shape)))
      : {
          after: applySplices(text, [replaceNode(text, stale.list, stale.node, handlerOf(shape))]),
          change: "replaced"
        }
  })

const edited = (text: string, splices: ReturnType<typeof insertMember>): Edited => ({
  after: applySplices(text, splices),
  change: "added"
})

const withVersion = ({ version }: HookShape, text: string): Either.Either<string, string> =>
  Either.gen(function* () {
    if (version === undefined) return text
    const root = yield* parseDocument(text)
    if (Option.isSome(yield* memberOf(root, "version"))) return text
    return applySplices(text, insertMember(text, root, "version", version))
  })

/** The text without a handler, and without what is empty then; None where nothing is left. */
const withoutHandler = (shape: HookShape, text: string, root: Node, handler: Handler): Option.Option<string> => {
  const { entries, entry, list, node } = handler
  let [container, child] = entry === node ? [list, node] : [entries, entry]
  while (container !== root && isEmptyWithout(text, container, child)) {
    const parent = container.parent
    if (parent === undefined) break
    // The value of a member goes with its key.
    child = parent.type === "property" ? parent : container
    container = parent.type === "property" ? (parent.parent ?? root) : parent
  }
  const rest = applySplices(text, removeMember(text, container, child))
  return container === root && isNothing(shape, rest) ? Option.none() : Option.some(rest)
}

/** Whether a document says nothing any more, no comment either. */
const isNothing = ({ version }: HookShape, text: string): boolean => {
  const bare = text.replace(/^\uFEFF/, "").replace(/\s/g, "")
  return bare === "{}" || (version !== undefined && bare === `{"version":${version}}`)
}

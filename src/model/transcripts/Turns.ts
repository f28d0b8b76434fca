import type { Entry } from "./Entry.ts"
import { given } from "./Fields.ts"

/** Everything between two real user prompts. Long texts are kept in part; `size` tells of all. */
export interface Turn {
  /** The same for the same turn whenever it is read again. */
  readonly key: string
  /** Byte of the transcript that it begins at. */
  readonly offset: number
  /** Milliseconds since 1970. */
  readonly at?: number
  /** The session that its lines name. */
  readonly session?: string
  readonly prompt?: string
  readonly user: string
  /** All the assistant's texts, in order, one below the other. */
  readonly assistant: string
  /** Names of all tools, in order. */
  readonly tools: ReadonlyArray<string>
  /** Grows with every text and tool, and with nothing else. */
  readonly size: number
}

/** Collects entries to turns. Holds one turn at a time, of which no text beyond `maxText` characters. */
export interface TurnBuilder {
  /** Takes the next entry. Gives the turn that it ends, if it ends one. */
  readonly add: (entry: Entry) => Turn | undefined
  /** The turn that nothing has ended yet. */
  readonly open: () => Turn | undefined
}

/** What a record keeps is far less; a secret at its end is still seen whole. */
const maxText = 64 * 1024
const maxTools = 1000
const maxPieces = 2000
const maxSeen = 8192

/** One text of a turn, or a name of a tool; an entry that comes again with more takes its own place. */
interface Piece {
  readonly text: string
  readonly size: number
}

interface Growing {
  readonly first: Entry
  readonly session: string | undefined
  readonly user: Map<string, Piece>
  readonly assistant: Map<string, Piece>
  readonly tools: Map<string, Piece>
  /** Sizes of what came after the maps were full. */
  overflow: number
}

export const turnBuilder = (): TurnBuilder => {
  let growing: Growing | undefined
  /** Entries of turns that are over: a line that comes once more belongs to none. */
  let recent = new Set<string>()
  let older = new Set<string>()

  const close = () => {
    if (growing === undefined) return undefined
    const turn = turnOf(growing)
    if (recent.size > maxSeen) {
      older = recent
      recent = new Set()
    }
    for (const pieces of [growing.user, growing.assistant, growing.tools]) {
      for (const uid of pieces.keys()) recent.add(uid)
    }
    growing = undefined
    return turn
  }

  const add = (entry: Entry): Turn | undefined => {
    const part = partOf(entry)
    if (part === undefined || entry.agent !== undefined || recent.has(entry.uid) || older.has(entry.uid)) return
    const ended = growing !== undefined && endsBy(growing, entry) ? close() : undefined
    growing ??= {
      first: entry,
      session: entry.session,
      user: new Map(),
      assistant: new Map(),
      tools: new Map(),
      overflow: 0
    }
    const text = part === "tools" ? (entry.tool ?? "") : entry.text.trim()
    const pieces = growing[part]
    const size = text.length + (part === "tools" ? 1 : 0)
    if (pieces.size >= maxPieces && !pieces.has(entry.uid)) growing.overflow += size
    else pieces.set(entry.uid, { text: kept(text, pieces), size })
    return ended
  }

  return { add, open: () => (growing === undefined ? undefined : turnOf(growing)) }
}

const partOf = ({ role, tool }: Entry): "user" | "assistant" | "tools" | undefined => {
  if (role === "user" || role === "assistant") return role
  return role === "tool_call" && tool !== undefined ? "tools" : undefined
}

/** A prompt ends the turn before it, its own further texts do not; neither do lines of another session belong to it. */
const endsBy = (growing: Growing, entry: Entry): boolean => {
  if (entry.session !== growing.session) return true
  if (entry.role !== "user" || growing.user.has(entry.uid)) return false
  if (growing.first.role !== "user") return true
  const samePrompt = entry.prompt !== undefined && entry.prompt === growing.first.prompt
  return !samePrompt && lineId(entry) !== lineId(growing.first)
}

/** A line of several texts gives several entries, whose ids begin alike. */
const lineId = ({ uid }: Entry): string => uid.slice(0, uid.lastIndexOf("#"))

const kept = (text: string, pieces: ReadonlyMap<string, Piece>): string => {
  if (text.length < 256) return text
  let before = 0
  for (const piece of pieces.values()) before += piece.text.length
  // A slice would keep the whole text alive.
  return text.length + before <= maxText ? text : Array.from(text.slice(0, Math.max(0, maxText - before))).join("")
}

const turnOf = ({ assistant, first, overflow, session, tools, user }: Growing): Turn => {
  const texts = (pieces: ReadonlyMap<string, Piece>) => [...pieces.values()].map((piece) => piece.text)
  const joined = (pieces: ReadonlyMap<string, Piece>) =>
    texts(pieces)
      .filter((text) => text !== "")
      .join("\n")
      .trim()
  const sizes = [user, assistant, tools].flatMap((pieces) => [...pieces.values()].map((piece) => piece.size))
  return {
    key: first.own ? first.uid : `${first.offset}:${first.at ?? ""}:${first.role}:${first.text.slice(0, 4096)}`,
    offset: first.offset,
    ...given("at", first.at),
    ...given("session", session),
    ...given("prompt", first.prompt),
    user: joined(user),
    assistant: joined(assistant),
    tools: texts(tools).slice(0, maxTools),
    size: sizes.reduce((sum, size) => sum + size, overflow)
  }
}

/**
 * The turn with the reply that its host told when it ended: hosts tell before they have written it down. Unchanged where
 * the turn has it already.
 */
export const withReply = (turn: Turn, reply: string): Turn => {
  const said = reply.trim()
  if (said === "" || turn.assistant.endsWith(said) || turn.assistant.length >= maxText) return turn
  const assistant = turn.assistant === "" ? said : `${turn.assistant}\n${said}`
  return { ...turn, assistant, size: turn.size + said.length }
}

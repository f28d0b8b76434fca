import { writeSync } from "node:fs"
import { dirname } from "node:path"
import { decodeHookEvent, type HookAgent, type HookEvent, isHookAgent } from "../../model/transcripts/HookEvent.ts"
import { redactLean } from "../../model/secrets/LeanSecrets.ts"
import { noticeFor, noticeText } from "../../model/transcripts/Notice.ts"
import { captureEvent } from "../../services/capture/CaptureDriver.ts"
import { logCapped, logHook } from "../../services/capture/HookLogDriver.ts"
import { hookStore } from "../../services/capture/HookProjectDriver.ts"
import { codeOf } from "../../services/capture/StoreFilesDriver.ts"
import { capturePaging } from "../../services/paging/PagingCaptureDriver.ts"
import { type Subscribed, subscribedAt } from "../../services/paging/RegistryDriver.ts"
import { readEvent } from "./stdin.ts"

/**
 * `hook --agent A`: an event on stdin, its turns to the buffer. Never fails, says nothing: whatever goes wrong is a line of
 * the log, and the next event finds what this one left. `--session`, `--transcript` and `--cwd` beat what the event says.
 *
 * A bundle of its own without Effect, which `launch/hook.cjs` loads where there is something to do; `input` is the event
 * that it has read already.
 */
export const runHook = (argv: ReadonlyArray<string>, input?: unknown): void => {
  let store: string | undefined
  let [agent, name]: [string, string] = ["claude", ""]
  try {
    const flags = flagsOf(argv)
    agent = flags.agent ?? "claude"
    if (process.env["CONTEXO_CAPTURE_DISABLE"] === "1" || !isHookAgent(agent)) return
    const told = input === undefined ? readEvent() : input
    if (told === undefined && flags.transcript === undefined) return
    const event = withFlags(agent, told, flags)
    name = event.name
    if (event.foreign) return
    const folders = event.folders.length > 0 ? event.folders : [process.cwd()]
    // Each consumer has its own cursor: what goes wrong with one is no trouble of the other.
    const paged = subscribedAt(folders, process.env)
    if (paged !== undefined) pageEvent(event, told, paged)
    store = hookStore(folders, process.env)
    if (store === undefined) return
    const { complete, malformed, session, unknown } = captureEvent(event, {
      store,
      redact: redactLean,
      now: Date.now(),
      env: process.env,
      onLarge: keepSmall,
      // Claude Code ends this hook after some 1.5 seconds.
      ...(event.name === "SessionEnd" ? { budgetMs: 1000, waitMs: 500 } : {})
    })
    if (malformed + unknown > 0 || !complete) note(store, { agent, event: name, session, malformed, unknown, complete })
  } catch (error) {
    if (store !== undefined) note(store, { agent, event: name, error: codeOf(error) })
  }
}

/** The paging database's share: rows, and at a session's begin a word to the agent. */
const pageEvent = (event: HookEvent, input: unknown, { database, scripts }: Subscribed): void => {
  const begins = /^sessionstart$/i.test(event.name)
  let first = begins
  try {
    const ends = /^sessionend$/i.test(event.name)
    const limits = ends ? { budgetMs: 500, waitMs: 300 } : { budgetMs: 5_000, waitMs: 5_000 }
    const options = { database, input, now: Date.now(), env: process.env, ...limits }
    first = capturePaging(event, options).first
  } catch (error) {
    logPaging(database, { agent: event.agent, event: event.name, error: codeOf(error) })
  }
  const moment = { agent: event.agent, event: event.name, client: event.client, first }
  const notice = noticeFor(moment, noticeText(database, scripts))
  if (notice !== undefined) writeSync(1, `${notice}\n`)
}

/** Keeps V8 from taking hundreds of megabytes for what is garbage at once. The process is ours, and ends after this. */
const keepSmall = () => {
  try {
    process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1")
  } catch {
    // Another engine, or a V8 without it: it takes the memory.
  }
}

/** Beside the database, where a person looks; a log that cannot be written is none. */
const logPaging = (database: string, entry: Readonly<Record<string, unknown>>) =>
  logCapped(dirname(database), { at: new Date().toISOString(), ...entry })

const note = (store: string, entry: Readonly<Record<string, unknown>>) =>
  logHook(store, { at: new Date().toISOString(), ...entry })

interface Flags {
  readonly agent?: string
  readonly session?: string
  readonly transcript?: string
  readonly cwd?: string
}

const flagsOf = (argv: ReadonlyArray<string>): Flags => {
  const words = argv.flatMap((word) => /^(--\w+)=(.*)$/s.exec(word)?.slice(1) ?? [word])
  const valueOf = (flag: string) => {
    const value = words[words.indexOf(flag) + 1]
    return words.includes(flag) && value !== undefined && value !== "" ? value : undefined
  }
  const entries = (["agent", "session", "transcript", "cwd"] as const).flatMap((flag) => {
    const value = valueOf(`--${flag}`)
    return value === undefined ? [] : [[flag, value] as const]
  })
  return Object.fromEntries(entries)
}

const withFlags = (agent: HookAgent, input: unknown, { cwd, session, transcript }: Flags) => ({
  ...decodeHookEvent(agent, input),
  ...(session === undefined ? {} : { session }),
  ...(transcript === undefined ? {} : { transcript }),
  ...(cwd === undefined ? {} : { folders: [cwd] })
})

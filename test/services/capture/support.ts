import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { decodeHookEvent, type HookAgent } from "../../../src/model/transcripts/HookEvent.ts"
import { parseBuffer } from "../../../src/model/capture/TurnBuffer.ts"
import type { TurnRecord } from "../../../src/model/capture/TurnRecord.ts"
import { type Captured, captureEvent, type CaptureOptions } from "../../../src/services/capture/CaptureDriver.ts"

/** A project with a transcript beside it, and the hook's work on both. */
export interface Bench {
  readonly root: string
  readonly store: string
  readonly transcript: string
  /** Adds text to the transcript. */
  readonly write: (...lines: ReadonlyArray<string>) => void
  /** Makes the transcript anew. */
  readonly rewrite: (...lines: ReadonlyArray<string>) => void
  /** What an event does; `Stop` of session `s1` with the transcript, where the fields do not say otherwise. */
  readonly event: (fields?: object, options?: Partial<CaptureOptions> & { readonly agent?: HookAgent }) => Captured
  readonly records: (session?: string) => ReadonlyArray<TurnRecord>
  readonly bufferPath: (session?: string) => string
  /** Bytes of the buffer. */
  readonly bufferLength: () => number
  /** What capture keeps of the session. */
  readonly stateText: () => string
  readonly setState: (text: string) => void
  /** The transcript that was moved aside. */
  readonly readOld: () => string
  /** Forgets everything: no transcript, no project but an empty one. */
  readonly clear: () => void
}

export const noon = Date.UTC(2026, 6, 5, 12)

export const bench = Effect.acquireRelease(
  Effect.sync((): Bench => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "ctx-capture-")))
    const store = join(root, "app", ".contexo")
    const transcript = join(root, "s1.jsonl")
    const state = join(store, ".sync", "capture", "s1.json")
    mkdirSync(store, { recursive: true })
    const bufferPath = (session = "s1") => join(store, "raw", "sessions", "_pending", `${session}.jsonl`)
    return {
      root,
      store,
      transcript,
      write: (...lines) => appendFileSync(transcript, lines.join("\n")),
      rewrite: (...lines) => writeFileSync(transcript, lines.join("\n")),
      event: (fields = {}, { agent = "claude", ...options } = {}) =>
        captureEvent(
          decodeHookEvent(agent, {
            hook_event_name: "Stop",
            session_id: "s1",
            transcript_path: transcript,
            cwd: join(root, "app"),
            ...fields
          }),
          { store, redact: (text) => text, now: noon, ...options }
        ),
      records: (session) =>
        existsSync(bufferPath(session))
          ? parseBuffer(readFileSync(bufferPath(session), "utf8")).flatMap(({ record }) => record ?? [])
          : [],
      bufferPath,
      bufferLength: () => (existsSync(bufferPath()) ? statSync(bufferPath()).size : 0),
      stateText: () => (existsSync(state) ? readFileSync(state, "utf8") : ""),
      setState: (text) => {
        mkdirSync(dirname(state), { recursive: true })
        writeFileSync(state, text)
      },
      readOld: () => readFileSync(`${transcript}.old`, "utf8"),
      clear: () => {
        for (const path of [transcript, join(store, "raw"), join(store, ".sync", "capture")]) {
          rmSync(path, { recursive: true, force: true })
        }
      }
    }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

let count = 0

/** Lines as Claude Code writes them. */
export const claudeLine = (fields: object): string =>
  `${JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    cwd: "/app",
    sessionId: "s1",
    version: "2.1.240",
    uuid: `uuid-${++count}`,
    timestamp: new Date(noon + count * 1000).toISOString(),
    ...fields
  })}\n`

export const user = (text: unknown, fields: object = {}): string =>
  claudeLine({ type: "user", message: { role: "user", content: text }, ...fields })

export const assistant = (block: object | string, fields: object = {}): string =>
  claudeLine({
    type: "assistant",
    message: {
      role: "assistant",
      model: "claude-x",
      content: [typeof block === "string" ? { type: "text", text: block } : block]
    },
    ...fields
  })

export const toolUse = (name: string, fields: object = {}): string =>
  assistant({ type: "tool_use", id: `toolu-${++count}`, name, input: { path: "a.ts" } }, fields)

export const toolResult = (text: string, fields: object = {}): string =>
  user([{ type: "tool_result", tool_use_id: "toolu-1", content: text }], fields)

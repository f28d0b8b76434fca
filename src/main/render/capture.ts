import { forAgentLine } from "../../model/text/Sanitise.ts"
import { byteLength } from "../../model/text/Text.ts"
import type { TurnRecord } from "../../model/capture/TurnRecord.ts"

/** A buffer as `ctx capture status` lists it. */
export interface ListedBuffer {
  readonly session: string
  readonly turns: number
  /** Milliseconds since 1970. */
  readonly modified: number
}

/** `ctx capture status`. Source: reference.md section 7. */
export const captureStatusText = (buffers: ReadonlyArray<ListedBuffer>, now: number): string =>
  buffers.length === 0
    ? "No pending capture buffers."
    : buffers
        .map(
          ({ modified, session, turns }) =>
            `  ${forAgentLine(session)}  (${turns} turn${turns === 1 ? "" : "s"}, last write ${age(now - modified)} ago)`
        )
        .join("\n")

export const captureStatusJson = (buffers: ReadonlyArray<ListedBuffer>) => ({
  buffers: buffers.map(({ modified, session, turns }) => ({
    session: forAgentLine(session),
    turns,
    modified: new Date(modified).toISOString()
  }))
})

/** `ctx capture show`: what was said, turn by turn, for a person. */
export const captureShowText = (turns: ReadonlyArray<TurnRecord>): string => turns.map(turnText).join("\n\n")

const turnText = ({ assistant, tools, truncated, ts, turn, user }: TurnRecord): string =>
  truncated === undefined
    ? [
        `#${turn}  ${forAgentLine(ts)}`,
        ...said("user", user),
        ...said("assistant", assistant),
        ...(tools === undefined || tools.length === 0 ? [] : [`  tools: ${forAgentLine(tools.join(" "))}`])
      ].join("\n")
    : `(${truncated.dropped} earlier turn(s) dropped)`

const said = (who: string, text: string | undefined): ReadonlyArray<string> => {
  if (text === undefined) return []
  const line = forAgentLine(text)
  return [`  ${who}: ${byteLength(line) > shownBytes ? `${cut(line)}...` : line}`]
}

const shownBytes = 400
const cut = (line: string) => [...line].slice(0, shownBytes / 4).join("")

const age = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

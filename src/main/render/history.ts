import { forAgentLine } from "../../model/text/Sanitise.ts"
import type { HistoryCommit } from "../../services/sync/SyncApi.ts"
import type { PageHistory } from "../../services/sync/SyncClient.ts"

/** `<sha7>  YYYY-MM-DD  author — message`, as `ctx_history` answers. Source: reference.md 2.5. */
export const commitLine = (commit: HistoryCommit): string =>
  `${commit.sha.slice(0, 7)}  ${day(commit.time)}  ${forAgentLine(commit.author)} — ${saying(commit)}`

/** `<8>  YYYY-MM-DD  author        message`, a line a commit. Source: reference.md section 7. */
export const historyText = (path: string, { commits }: PageHistory): string =>
  commits.length === 0
    ? `No commits found for ${path}`
    : commits
        .map(
          (commit) =>
            `${commit.sha.slice(0, 8)}  ${day(commit.time)}  ${forAgentLine(commit.author).padEnd(12)}  ${saying(commit)}`
        )
        .join("\n")

/** `ctx history --json`: the server's own shape, its free texts made safe. */
export const historyJson = (path: string, { commits, nextCursor }: PageHistory) => ({
  path,
  commits: commits.map(commitJson),
  ...(nextCursor._tag === "Some" ? { next_cursor: forAgentLine(nextCursor.value) } : {})
})

/** A commit as JSON, its free texts made safe. */
export const commitJson = ({ author, deleted, email, message, purged, sha, time }: HistoryCommit) => ({
  sha,
  author: forAgentLine(author),
  email: forAgentLine(email),
  time: forAgentLine(time),
  message: forAgentLine(message),
  ...(deleted === true ? { deleted } : {}),
  ...(purged === true ? { purged } : {})
})

/** The day of an RFC 3339 time in UTC. */
export const day = (time: string): string => forAgentLine(time).slice(0, 10)

/** What a commit says, and what became of the page in it. A message is cut on a code point. */
export const saying = ({ deleted, message, purged }: HistoryCommit): string => {
  const marks = [...(deleted === true ? ["deleted"] : []), ...(purged === true ? ["content purged"] : [])]
  const points = [...forAgentLine(message)]
  const text = points.length > longest ? `${points.slice(0, longest).join("")}...` : points.join("")
  return marks.length === 0 ? text : `${text} (${marks.join(", ")})`
}

const longest = 200

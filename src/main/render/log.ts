import { forAgentLine } from "../../model/text/Sanitise.ts"
import { short8 } from "../../model/page/Sha.ts"
import type { CommitInfo } from "../../services/sync/SyncApi.ts"

/** One line a commit: `<8>  YYYY-MM-DD HH:MM  author — message`. Source: reference.md section 7. */
export const logText = (commits: ReadonlyArray<CommitInfo>): string =>
  commits.length === 0
    ? "No commits yet"
    : commits
        .map(
          ({ author, message, sha, time }) =>
            `${short8(sha)}  ${minute(time)}  ${forAgentLine(author)} — ${forAgentLine(message)}`
        )
        .join("\n")

/** The server's own shape, its free texts made safe. */
export const logJson = (commits: ReadonlyArray<CommitInfo>) => ({
  commits: commits.map(({ author, email, message, sha, time }) => ({
    sha,
    author: forAgentLine(author),
    email: forAgentLine(email),
    time,
    message: forAgentLine(message)
  }))
})

/** `2026-11-30 21:05` of an RFC 3339 time in UTC. */
const minute = (time: string): string => forAgentLine(time).slice(0, 16).replace("T", " ")

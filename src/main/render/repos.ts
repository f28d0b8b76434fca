import { forAgentLine } from "../../model/text/Sanitise.ts"
import type { RepoSummary } from "../../services/sync/SyncApi.ts"

/** `<id padded>  (<role>)`, one line a repository. Source: reference.md section 7. */
export const repoRows = (repos: ReadonlyArray<RepoSummary>): ReadonlyArray<string> => {
  const ids = repos.map(({ id }) => forAgentLine(id))
  const width = Math.max(0, ...ids.map((id) => id.length))
  return repos.map(({ role }, index) => `${(ids[index] ?? "").padEnd(width)}  (${forAgentLine(role ?? "member")})`)
}

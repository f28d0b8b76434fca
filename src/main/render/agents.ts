import { Either } from "effect"
import type { AgentStatus, Outcome, PartReport } from "../../effects/agents/wiring.ts"
import { columns } from "./columns.ts"

/** How every agent stands here, one line for each. */
export const agentRows = (statuses: ReadonlyArray<AgentStatus>): ReadonlyArray<string> =>
  columns(statuses.map((status) => [status.host.name, standing(status)] as const))

const standing = ({ detected, parts }: AgentStatus): string => {
  const said = parts.flatMap(({ file, found, part }) => {
    const name = part === "mcp" ? "MCP" : "hooks"
    if (Either.isLeft(found)) return [`${name}: ${found.left}`]
    switch (found.right) {
      case "wired":
        return [`${part === "mcp" ? "wired" : "hooks"} (${file})`]
      case "partial":
        return [`some hooks are missing (${file}): run 'ctx hooks install'`]
      case "stale":
        return [`${name} of another client (${file}): run 'ctx ${part} install'`]
      case "absent":
        return []
    }
  })
  return said.length > 0 ? said.join(", ") : detected ? "not wired" : "not detected"
}

export const agentsJson = (statuses: ReadonlyArray<AgentStatus>) => ({
  agents: statuses.map(({ detected, host, parts }) => ({
    id: host.id,
    name: host.name,
    detected,
    parts: parts.map(({ file, found, part, scope }) => ({
      part,
      scope,
      file,
      state: Either.getOrElse(found, () => "unreadable"),
      ...(Either.isLeft(found) ? { reason: found.left } : {})
    }))
  }))
})

/** What was done, one line for each file. */
export const wiringLines = (reports: ReadonlyArray<PartReport>): ReadonlyArray<string> =>
  reports.flatMap(({ agent, file, outcome, part }) => {
    if (outcome._tag !== "Done") return []
    const what = part === "mcp" ? "the contexo entry" : "our hooks"
    switch (outcome.change) {
      case "removed":
        return [`  Removed ${what} from ${file} (${agent})`]
      case "absent":
        return []
      case "present":
        return [`  ${file} already has ${what}; leaving it alone`]
      default:
        return [part === "mcp" ? `  Wired ${agent} (${file})` : `  ${agent} records its turns (${file})`]
    }
  })

/** What went wrong, one line for each file. */
export const wiringWarnings = (reports: ReadonlyArray<PartReport>): ReadonlyArray<string> =>
  reports.flatMap(({ agent, outcome }) => (outcome._tag === "Failed" ? [`  warning: ${agent}: ${outcome.reason}`] : []))

export const wiringJson = (reports: ReadonlyArray<PartReport>) => ({
  files: reports.map(({ host, file, outcome, part, scope }) => ({ agent: host, part, scope, file, ...said(outcome) }))
})

const said = (outcome: Outcome) => {
  switch (outcome._tag) {
    case "Done":
      return { outcome: outcome.change }
    case "Asks":
      return { outcome: "unanswered" }
    case "Failed":
      return { outcome: "failed", reason: outcome.reason }
  }
}

import type { AgentStatus } from "../../effects/agents/wiring.ts"
import { initLines, type InitReport } from "../../effects/agents/InitReport.ts"
import { agentRows } from "./agents.ts"

/**
 * What `ctx init` did, which agents are wired up, and what to do next. Source: reference.md section 7.
 *
 * @param more What was done in the home folder.
 */
export const initText = (
  report: InitReport,
  more: ReadonlyArray<string>,
  statuses: ReadonlyArray<AgentStatus>
): string => {
  const [last, ...steps] = initLines(report).toReversed()
  return [
    ...steps.toReversed(),
    ...more,
    ...(last === undefined ? [] : [last]),
    "",
    ...agentRows(statuses),
    "",
    "Any other agent that speaks MCP: 'ctx mcp guide' shows what goes into its settings.",
    "To share pages: ctx login --server <url> --token <token> --repo <id>"
  ].join("\n")
}

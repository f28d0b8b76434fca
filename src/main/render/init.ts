import { initLines, type InitReport } from "../../effects/InitReport.ts"
import { columns } from "./columns.ts"

/** Agents that `ctx init` knows how to wire up. */
const agents = ["Claude Code", "Cursor"] as const

/** What `ctx init` did, which agents are wired up, and what to do next. Source: reference.md section 7. */
export const initText = (
  report: InitReport,
  asked: { readonly noMcp: boolean; readonly noCursor: boolean }
): string => {
  const wired = new Map(
    report.steps.flatMap((step) => (step._tag === "Wired" ? [[step.agent, step.file] as const] : []))
  )
  const rows = agents.map((agent) => {
    const file = wired.get(agent)
    const unasked = asked.noMcp || (agent === "Cursor" && asked.noCursor)
    return [agent, file !== undefined ? `wired (${file})` : unasked ? "left alone" : "not detected"] as const
  })
  return [
    ...initLines(report),
    "",
    ...columns(rows),
    "",
    "Any other agent that speaks MCP: run 'npx -y ctx-mcp' in this folder.",
    "To share pages: ctx login --server <url> --token <token> --repo <id>"
  ].join("\n")
}

import type { HookAgent } from "./HookEvent.ts"

/** What an agent is told when a session begins: older context is there, and how to get at it. */
export const noticeText = (database: string, scripts: string): string =>
  [
    `Context paging: everything said in this project is kept, exactly, in ${database}.`,
    `Find older context with python3 ${scripts}/cp_search.py "words" (--since 24h, 7d or any), then read it with cp_around.py ID.`,
    `Keep exact decisions, findings and errors with python3 ${scripts}/cp_page_out.py "content" topic tag.`
  ].join("\n")

/** Whether a text is such a notice. */
export const isNotice = (text: string): boolean =>
  text.includes("Context paging: everything said in this project is kept")

/** When a host takes a text into its context. */
export interface Moment {
  readonly agent: HookAgent
  /** The event in the host's words. */
  readonly event: string
  /** The product, where the event tells it. */
  readonly client?: string | undefined
  /** Whether nobody had said anything in the session before. */
  readonly first: boolean
}

/**
 * The notice as a host reads it from a hook; undefined where it does not at this moment. kimi-cli never does: it has the
 * section in AGENTS.md alone.
 *
 * Source: paging.md 3.4, 5, 9.
 */
export const noticeFor = ({ agent, client, event, first }: Moment, text: string): string | undefined => {
  switch (agent) {
    case "claude":
    case "codex":
    case "gemini":
      return event === "SessionStart"
        ? JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } })
        : undefined
    case "cursor":
      return event === "sessionStart" ? JSON.stringify({ additional_context: text }) : undefined
    case "kimi":
      return event === "UserPromptSubmit" && client !== undefined && first ? text : undefined
  }
}

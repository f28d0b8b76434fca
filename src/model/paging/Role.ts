/** What an entry of a conversation is. `system`: reminders, triggered inputs, task notifications. */
export const messageRoles = ["user", "thinking", "assistant", "tool_call", "tool", "system"] as const
export type MessageRole = (typeof messageRoles)[number]

/** What a page holds, as whoever wrote it says. */
export const pageKinds = ["note", "decision", "summary", "reference", "error"] as const
export type PageKind = (typeof pageKinds)[number]

export const isMessageRole = (name: string): name is MessageRole => messageRoles.some((role) => role === name)
export const isPageKind = (name: string): name is PageKind => pageKinds.some((kind) => kind === name)

const tools = /(?:^|__|\.)ctx_page_(?:search|in|around)$/
const commands =
  /\bcp_(?:search|message_list|page_in|around)\.py\b|\bctx\s+paging\s+(?:search|message-list|page-in|around)\b/

/**
 * Whether a call of a tool looks something up in this database: its own words and its answer would otherwise be found by
 * every later search for them.
 *
 * Source: paging.md 8.2, self-pollution.
 */
export const isLookup = (tool: string | undefined, text: string): boolean =>
  (tool !== undefined && tools.test(tool)) || (text.length < 64 * 1024 && commands.test(text))

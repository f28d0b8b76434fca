const block = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>\s*)+/

/** A prompt of Gemini CLI without what hooks put before it, and that apart. */
export const splitHookContext = (text: string): { readonly context: string; readonly said: string } => {
  const [context = ""] = block.exec(text) ?? []
  return { context, said: text.slice(context.length) }
}

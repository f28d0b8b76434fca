import { rules } from "@secretlint/secretlint-rule-preset-recommend"
import type { SecretLintRuleContext, SecretLintRuleCreator, SecretLintSourceCode } from "@secretlint/types"
import { isPlaceholder, type SecretRule, type Span } from "./SecretShape.ts"

/**
 * The rules of secretlint's recommended preset, run as they are, without secretlint's core: that answers later and not at
 * once, which a hook cannot use.
 *
 * Left out:
 * - `filter-comments`: a text would switch the rules off by saying so
 * - `basicauth`, `database-connection-string`, `github`: ours see more. The first two redact a whole address, and the third
 *   takes seconds on a text made for it
 * - `gcp`: looks at JSON files only; the key in one is found as a private key
 */
const leftOut: ReadonlySet<string> = new Set([
  "filter-comments",
  "basicauth",
  "database-connection-string",
  "github",
  "gcp"
])

/** Those of the preset that know a token by itself, without what stands around. */
export const presetTokens: ReadonlySet<string> = new Set(
  [
    "1password anthropic cloudflare databricks docker figma gitlab grafana groq hashicorp-vault huggingface linear",
    "notion npm openai sendgrid shopify slack stripe tailscale vercel"
  ].flatMap((names) => names.split(" "))
)

const shortName = (id: string): string => id.replace("@secretlint/secretlint-rule-", "")

/** A text as the rules want to see it: a page. Rules for other kinds of files leave it alone. */
const sourceOf = (content: string): SecretLintSourceCode => {
  const position = { line: 1, column: 0 }
  return {
    content,
    hasBOM: false,
    filePath: "page.md",
    physicalFilePath: undefined,
    contentType: "text",
    ext: ".md",
    getFilePath: () => "page.md",
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: position, end: position }),
    positionToIndex: () => 0,
    indexToPosition: () => position
  }
}

/** Some rules report where the key's name begins, and the length of its value: the value itself is looked for from there. */
const spanOf = (text: string, range: readonly [number, number], data: object): Span => {
  const [from, end] = range
  for (const value of Object.values(data)) {
    if (typeof value !== "string" || value.length < 8) continue
    const start = text.indexOf(value, from)
    if (start !== -1 && start <= end) return { start, end: start + value.length }
  }
  return { start: from, end }
}

const asRule = (creator: SecretLintRuleCreator): SecretRule => {
  let text = ""
  let found: Array<Span> = []
  const context: SecretLintRuleContext = {
    sharedOptions: {},
    createTranslator: () => (messageId, data) => ({ message: "", messageId: String(messageId), data }),
    report: ({ message, range }) => {
      const span = spanOf(text, range, message.data ?? {})
      if (!isPlaceholder(text.slice(span.start, span.end))) found.push(span)
    },
    ignore: () => undefined
  }
  const handler = creator.create(context, {})
  return {
    id: shortName(creator.meta.id),
    find: (content) => {
      text = content
      found = []
      void handler.file?.(sourceOf(content))
      text = ""
      return found
    }
  }
}

export const presetRules: ReadonlyArray<SecretRule> = rules
  .filter(({ meta }) => !leftOut.has(shortName(meta.id)))
  .map(asRule)

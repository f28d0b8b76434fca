const marker = (rule: string) => `[redacted:${rule}]`

/** Secrets whose shape alone tells them. */
const rules: ReadonlyArray<readonly [rule: string, pattern: RegExp]> = [
  [
    "private-key",
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g
  ],
  ["github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b/g],
  ["ctx-token", /\bctxp_[A-Za-z0-9_-]{16,}/g],
  ["provider-key", /\bsk-(?:ant-|proj-|svcacct-|or-v1-)[A-Za-z0-9_-]{20,}/g],
  ["aws-key", /\b(?:AKIA|ASIA)(?![A-Z0-9]*EXAMPLE\b)[A-Z2-7]{16}\b/g],
  ["slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ["google-key", /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g],
  ["bearer-token", /(?<=\bBearer\s+)(?:eyJ[A-Za-z0-9_-]{8,}|[A-Za-z0-9_~+/-]{32,})[A-Za-z0-9._~+/=-]*/gi],
  ["jwt", /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g],
  ["url-password", /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'`<>]{0,100}:)(?![<{$*])[^\s/@"'`<>]{1,200}(?=@)/gi]
]

/** Text with the secrets that can be told for sure replaced by `[redacted:<rule>]`. */
export const redactSecrets = (text: string): string =>
  rules.reduce((clean, [rule, pattern]) => clean.replace(pattern, marker(rule)), text)

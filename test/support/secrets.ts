/**
 * One true secret for every rule, made here: none opens anything. They are put together from parts, so that no scanner of
 * repositories stumbles over them.
 */

const draw = (alphabet: string, length: number): string =>
  Array.from({ length }, (_, n) => alphabet[(n * 7 + 3) % alphabet.length]).join("")
const hex = (length: number) => draw("0123456789abcdef", length)
const mixed = (length: number) => draw("aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0zY", length)
const letters = (length: number) => draw("aBdEfGhJkLmNpQrStUvWzYcC", length)
const upper = (length: number) => draw("A7B2C3D4E5F6G", length)
const pem = (kind: string, lines: number) =>
  [`-----BEGIN ${kind}-----`, ...Array.from({ length: lines }, () => mixed(64)), `-----END ${kind}-----`].join("\n")
const jwt = `eyJ${mixed(17)}.eyJ${mixed(40)}.${mixed(43)}`
const account = `ops_${Buffer.from(JSON.stringify({ email: "a@b.c", secretKey: mixed(92), u: { a: { b: 1 } } })).toString("base64")}`

/** `[rule, secret, what stands around it]`; a `%` in the third is where the secret goes. */
const table: ReadonlyArray<readonly [rule: string, secret: string, around?: string]> = [
  ["1password", account],
  ["age", `AGE-SECRET-KEY-1${upper(58)}`],
  ["airtable", `pat${mixed(14)}.${hex(64)}`],
  ["anthropic", `sk-ant-oat01-${mixed(80)}`],
  ["anthropic", `sk-ant-api03-${mixed(93)}AA`, "ANTHROPIC_API_KEY=%"],
  ["assigned-secret", mixed(24), 'DB_PASSWORD="%"'],
  ["assigned-secret", `${mixed(86)}==`, "AccountName=a;AccountKey=%;EndpointSuffix=core.windows.net"],
  ["atlassian", `ATATT3${mixed(180)}`],
  ["auth-header", mixed(32), "curl -H 'X-Api-Key: %' https://api.internal"],
  ["aws", `AKIA${upper(16)}`],
  ["aws", mixed(40), "aws_secret_access_key = %"],
  ["aws", `${mixed(39)}/`, '"SecretAccessKey": "%",'],
  ["azure", `${mixed(3)}8Q~${mixed(34)}`],
  ["basic-auth", "YWRhOmh1bnRlcjJodW50ZXIy", "Authorization: Basic %"],
  ["bearer-token", `eyJ${mixed(20)}`, "Authorization: Bearer %"],
  ["bearer-token", mixed(32), "authorization: bearer %"],
  ["buildkite", `bkua_${hex(40)}`],
  ["circleci", `CCIPAT_${mixed(22)}_${hex(40)}`],
  ["cloudflare", `cfut_${mixed(40)}${hex(8)}`],
  ["ctx-token", `ctxp_${mixed(32)}`, "ctx login --token %"],
  ["ctx-token", `ctxi_${mixed(32)}`],
  ["databricks", `dapi${hex(32)}`],
  ["digitalocean", `dop_v1_${hex(64)}`],
  ["discord", `M${mixed(23)}.${mixed(6)}.${mixed(38)}`],
  ["discord", `discord.com/api/webhooks/123456789012345678/${mixed(68)}`, "https://%"],
  ["docker", `dckr_pat_${mixed(27)}`],
  ["doppler", `dp.pt.${mixed(43)}`],
  ["facebook", `EAA${mixed(120)}`],
  ["figma", `figd_${mixed(43)}`],
  ["fly", `fm2_${mixed(80)}`],
  ["github", `ghp_${mixed(36)}`],
  ["github", `github_pat_${mixed(22)}_${mixed(59)}`],
  ["gitlab", `glpat-${mixed(20)}`],
  ["gitlab", `glrt-t1_${mixed(24)}`],
  ["google", `AIza${mixed(35)}`],
  ["grafana", `glsa_${mixed(32)}_${hex(8)}`],
  ["groq", `gsk_${mixed(52)}`],
  ["hashicorp-vault", `hvs.${mixed(95)}`],
  ["hashicorp-vault", `hvs.${mixed(24)}`],
  ["hcp-terraform", `atlasv1.${mixed(67)}`, `${mixed(14)}.%`],
  ["heroku", `HRKU-${mixed(36)}`],
  ["huggingface", `hf_${letters(34)}`],
  ["huggingface", `hf_${mixed(34)}`],
  ["jwt", jwt],
  ["linear", `lin_api_${mixed(40)}`],
  ["mailchimp", `${hex(32)}-us12`],
  ["mailgun", `key-${hex(32)}`],
  ["mapbox", `sk.eyJ${mixed(40)}.${mixed(22)}`],
  ["netlify", `nfp_${mixed(40)}`],
  ["new-relic", `NRAK-${upper(27)}`],
  ["notion", `ntn_${"1".repeat(11)}${mixed(35)}`],
  ["npm", `npm_${mixed(36)}`],
  ["npm", mixed(30), "//registry.npmjs.org/:_authToken=%"],
  ["nvidia", `nvapi-${mixed(64)}`],
  ["openai", `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`],
  ["openai", `sk-proj-${mixed(48)}`],
  ["openrouter", `sk-or-v1-${hex(64)}`],
  ["perplexity", `pplx-${mixed(48)}`],
  ["planetscale", `pscale_tkn_${mixed(43)}`],
  ["postman", `PMAK-${hex(24)}-${hex(34)}`],
  ["privatekey", pem("RSA PRIVATE KEY", 12)],
  ["privatekey", pem("ENCRYPTED PRIVATE KEY", 1)],
  ["privatekey", pem("PGP PRIVATE KEY BLOCK", 9)],
  ["privatekey", mixed(64), "-----BEGIN OPENSSH PRIVATE KEY-----\\n%\\n"],
  ["pulumi", `pul-${hex(40)}`],
  ["pypi", `pypi-AgEIcHlwaS5vcmc${mixed(80)}`],
  ["replicate", `r8_${mixed(37)}`],
  ["rubygems", `rubygems_${hex(48)}`],
  ["sendgrid", `SG.${mixed(22)}.${mixed(20)}-${mixed(11)}_${mixed(10)}`],
  ["sentry", `sntrys_${mixed(80)}`],
  ["shopify", `shpat_${mixed(32)}`],
  ["slack", `xoxb-123456789012-${mixed(24)}`],
  ["slack", `hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${mixed(24)}`, "https://%"],
  ["square", `sq0csp-${mixed(43)}`],
  ["stripe", `sk_${"live"}_${mixed(24)}`],
  ["stripe", `whsec_${mixed(32)}`],
  ["supabase", `sbp_${hex(40)}`],
  ["tailscale", `tskey-auth-${mixed(12)}-${mixed(32)}`],
  ["telegram", `123456789:AA${mixed(33)}`],
  ["twilio", `SK${hex(32)}`],
  ["url-password", "p", "DATABASE_URL=postgres://u:%@h/db"],
  ["url-password", "s3cr3t%2Fpart@x", "redis://:%@cache.internal:6379"],
  ["url-token", mixed(32), "GET https://api.internal/v1?access_token=%&page=2"],
  ["vercel", `vcp_${mixed(24)}`],
  ["xai", `xai-${mixed(80)}`]
]

/** A secret, the rule that must see it, and a text of one or more lines that holds it. */
export interface TrueSecret {
  readonly rule: string
  readonly secret: string
  readonly text: string
  /** For a test's title. */
  readonly shown: string
}

export const trueSecrets: ReadonlyArray<TrueSecret> = table.map(([rule, secret, around = "%"]) => {
  const text = around.split("%").join(secret)
  return {
    rule,
    secret: secret.length < 3 ? `:${secret}@` : secret,
    text,
    shown: text.slice(0, 24).replaceAll("\n", " ")
  }
})

import { type SecretRule, spans } from "./SecretShape.ts"

/**
 * Tokens that are known by how they begin: of every kind that the preset knows, and of more. Where it knows a kind too, the
 * shape here is the wider one: longer ones, newer ones, ones with a digit or a hyphen where its pattern has none.
 */
const shapes: ReadonlyArray<readonly [id: string, shape: string]> = [
  ["ctx-token", "ctx[pi]_[A-Za-z0-9_-]{16,}"],
  ["1password", "ops_ey[A-Za-z0-9+/=]{100,}"],
  ["age", "AGE-SECRET-KEY-1[A-Z0-9]{50,}"],
  ["airtable", "pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}"],
  ["anthropic", "sk-ant-[a-z0-9]{1,12}-[A-Za-z0-9_-]{20,}"],
  ["atlassian", "AT[AC]TT3[A-Za-z0-9_=-]{50,}|ATBB[A-Za-z0-9]{32}"],
  ["aws", "(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["azure", "[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,}"],
  ["buildkite", "bk(?:ua|at)_[0-9a-f]{40}"],
  ["circleci", "CCIP(?:AT|RJ)_[A-Za-z0-9]{1,64}_[0-9a-f]{40}"],
  ["cloudflare", "cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}(?![A-Za-z0-9])"],
  ["databricks", "dapi[A-Fa-f0-9]{32}(?![A-Fa-f0-9])"],
  ["digitalocean", "do[opr]_v1_[0-9a-f]{64}"],
  ["discord", "[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{38}(?![A-Za-z0-9_.-])"],
  ["docker", "dckr_pat_[A-Za-z0-9_-]{27}"],
  ["doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{40,}"],
  ["facebook", "EAA[A-Za-z0-9]{80,}"],
  ["figma", "figd_[A-Za-z0-9_-]{40,}"],
  ["fly", "fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}"],
  ["github", "gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{40,}"],
  ["gitlab", "gl(?:pat|dt|rt|ptt|soat|ft|oas|cbt|agent|imt|ffct)-[A-Za-z0-9_.-]{20,}"],
  ["google", "AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_-]{20,}"],
  ["grafana", "glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}={0,2}"],
  ["groq", "gsk_[A-Za-z0-9]{40,}"],
  ["hashicorp-vault", "hv[sbr]\\.[A-Za-z0-9_-]{24,}"],
  ["hcp-terraform", "atlasv1\\.[A-Za-z0-9_=-]{60,}"],
  ["heroku", "HRKU-[A-Za-z0-9_-]{30,}"],
  ["huggingface", "hf_[A-Za-z0-9]{30,}"],
  ["jwt", "eyJ[A-Za-z0-9_-]{8,8000}\\.eyJ[A-Za-z0-9_-]{4,8000}\\.[A-Za-z0-9_-]{8,}"],
  ["linear", "lin_(?:api|oauth)_[A-Za-z0-9_]{32,}"],
  ["mailchimp", "[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])"],
  ["mailgun", "(?<![-_])key-[0-9a-f]{32}"],
  ["mapbox", "sk\\.eyJ[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{20,}"],
  ["netlify", "nfp_[A-Za-z0-9]{36,}"],
  ["new-relic", "NRAK-[A-Z0-9]{27}"],
  ["notion", "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])|ntn_[A-Za-z0-9]{40,}"],
  ["npm", "npm_[A-Za-z0-9_]{36,}"],
  ["nvidia", "nvapi-[A-Za-z0-9_-]{40,}"],
  ["openai", "sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{32,}"],
  ["openrouter", "sk-or-v1-[0-9a-f]{32,}"],
  ["perplexity", "pplx-[A-Za-z0-9]{32,}"],
  ["planetscale", "pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}"],
  ["postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}"],
  ["pulumi", "pul-[0-9a-f]{40}"],
  ["pypi", "pypi-AgE[A-Za-z0-9_-]{50,}"],
  ["replicate", "r8_[A-Za-z0-9]{32,}"],
  ["rubygems", "rubygems_[0-9a-f]{48}"],
  ["sendgrid", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,}"],
  ["sentry", "sntry[su]_[A-Za-z0-9_=+/-]{40,}"],
  ["shopify", "shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,}"],
  ["slack", "(?:xox[a-z]|xapp)-[0-9][A-Za-z0-9-]{16,}|xoxe\\.xox[bp]-[A-Za-z0-9-]{16,}"],
  ["square", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}"],
  ["stripe", "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}"],
  ["supabase", "sbp_[0-9a-f]{40}|sb_secret_[A-Za-z0-9_-]{20,}"],
  ["tailscale", "tskey-[a-z]{2,20}-[0-9A-Za-z_]{8,40}-[0-9A-Za-z_]{16,60}"],
  ["telegram", "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9_-])"],
  ["twilio", "SK[0-9a-f]{32}(?![0-9A-Za-z])"],
  ["vercel", "vc[piark]_[A-Za-z0-9]{20,60}(?![A-Za-z0-9])"],
  ["xai", "xai-[A-Za-z0-9]{40,}"]
]

/** Addresses that are secret themselves: whoever has one may post. */
const hooks: ReadonlyArray<readonly [id: string, shape: string]> = [
  ["discord", "discord(?:app)?\\.com/api/webhooks/[0-9]{15,25}/[A-Za-z0-9_-]{40,}"],
  ["slack", "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9]{6,}/[A-Za-z0-9]{6,}/[A-Za-z0-9/]{16,}"]
]

const bounded = (shape: string) => `(?<![A-Za-z0-9])(?:${shape})`

export const tokenRules: ReadonlyArray<SecretRule> = [
  ...shapes.map(([id, shape]) => ({ id, find: spans(new RegExp(bounded(shape), "dg")) })),
  ...hooks.map(([id, shape]) => ({
    id,
    find: spans(new RegExp(shape, "dg"), (secret) => /[a-z]/.test(secret.slice(-16)))
  }))
]

const any = new RegExp([...shapes.map(([, shape]) => bounded(shape)), ...hooks.map(([, shape]) => shape)].join("|"))

/** Whether one of these rules may find something: one look instead of sixty, for the many texts without any token. */
export const mayHoldToken = (text: string): boolean => any.test(text)

import { isPlaceholder, looksRandom, type SecretRule, type Span, spans } from "./SecretShape.ts"

/** Words in the place of a password in an address, compared in lower case. */
const passwordWords: ReadonlySet<string> = new Set(
  "password passwd passwort pass pw pwd secret token user username key apikey mypassword yourpassword xxx".split(" ")
)

const isPassword = (password: string, match: RegExpExecArray): boolean => {
  // The user's name again is what local setups and manuals write.
  return !(
    passwordWords.has(password.toLowerCase()) ||
    password === match.groups?.["user"] ||
    /^[A-Z][A-Z_]+$/.test(password) ||
    /^x+$/i.test(password)
  )
}

/** `scheme://user:password@host`. A password may hold an `@`; what follows an image's digest is none. */
const urlPassword = spans(
  /(?<=[A-Za-z0-9]):\/\/(?<user>[^\s/?#@:"'`<>]{0,128}):(?<secret>[^\s/?#"'`<>]{1,256})@(?!sha[0-9]{1,3}:)(?=[^\s@])/dg,
  isPassword
)

const bearer = spans(
  /\bbearer[ \t]{1,4}["'`]?(?<secret>[A-Za-z0-9][A-Za-z0-9._~+/=-]{7,})/dgi,
  (secret) => secret.startsWith("eyJ") || (secret.length >= 16 && looksRandom(secret))
)

const basic = spans(
  /\bauthorization["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`]?basic[ \t]{1,4}(?<secret>[A-Za-z0-9+/]{8,}={0,2})/dgi,
  (secret) => /[a-z]/.test(secret) && /[A-Z]/.test(secret)
)

/** The value of a header that carries nothing but a secret. */
const header = spans(
  /\b(?:(?:proxy-)?authorization|(?:x-)?api-key|x-auth-token|private-token|x-vault-token)["'`]?[ \t]{0,4}:[ \t]{0,4}["'`]?(?:(?:token|bot|apikey|api-key|key)[ \t]{1,4})?(?<secret>[A-Za-z0-9_~+/=-]{16,})/dgi,
  looksRandom
)

const query = spans(
  /[?&](?:access_token|auth_token|api_?key|client_secret)=(?<secret>[A-Za-z0-9_~%.+/=-]{16,})/dgi,
  looksRandom
)

const isMixed = (secret: string): boolean =>
  /[a-z]/.test(secret) && /[A-Z]/.test(secret) && (secret.match(/[0-9]/g) ?? []).length >= 3

/** `DB_PASSWORD=...`, `"clientSecret": "..."`: only what a generator makes, and never an expression of a program. */
const assigned = spans(
  /(?:passw(?:or)?d|secret|(?<!page[_-]?)token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|shared[_-]?access[_-]?key)["'`]?[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`]?(?<secret>[A-Za-z0-9+/_-]{20,}={0,2})(?![\w.([{])/dgi,
  isMixed
)

/** The preset wants a word's end after the 40 characters, and so misses a secret that ends with `+` or `/`. */
const awsSecret = spans(
  /secret_?(?:access)?_?key["'`]?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'`]?(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dgi,
  (secret) => /[a-z]/.test(secret) && /[A-Z]/.test(secret)
)

const npmToken = spans(/_(?:authToken|password|auth)[ \t]{0,4}=[ \t]{0,4}["'`]?(?<secret>[A-Za-z0-9+/=_.-]{16,})/dg)

/** Characters of a key, above any that is in use; past them, a block without an end is not looked at. */
const keyLength = 20_000

/**
 * Private keys in PEM armour, of any algorithm: encrypted, PGP's, a short Ed25519, quoted in a comment or in JSON, or cut
 * off before their end. A block that a manual cut short with dots is none.
 */
const privateKey: SecretRule["find"] = (text) => {
  const found: Array<Span> = []
  for (const { 0: head, index: start } of text.matchAll(
    /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
  )) {
    const from = start + head.length
    const dashes = text.indexOf("-----", from)
    const until = dashes === -1 ? text.length : dashes
    const inside = text.slice(from, Math.min(until, from + keyLength))
    const parts = [...inside.matchAll(/[A-Za-z0-9+/=]{16,}/g)]
    const last = parts.at(-1)
    if (last === undefined || parts.reduce((sum, [part]) => sum + part.length, 0) < 40) continue
    if (isPlaceholder(last[0])) continue
    const foot = /^-----END [A-Z0-9 ]{1,64}-----/.exec(text.slice(until, until + 80))?.[0] ?? ""
    found.push({ start, end: foot === "" ? from + last.index + last[0].length : until + foot.length })
  }
  return found
}

/** Secrets that are known by what stands around them. */
export const contextRules: ReadonlyArray<SecretRule> = [
  { id: "privatekey", find: privateKey },
  { id: "url-password", find: urlPassword },
  { id: "bearer-token", find: bearer },
  { id: "basic-auth", find: basic },
  { id: "auth-header", find: header },
  { id: "url-token", find: query },
  { id: "aws", find: awsSecret },
  { id: "npm", find: npmToken },
  { id: "assigned-secret", find: assigned }
]

import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { redactLean } from "../../../src/model/secrets/LeanSecrets.ts"
import { findSecrets, redact, secretRules } from "../../../src/model/secrets/Secrets.ts"
import { trueSecrets } from "../../support/secrets.ts"
import { processorTime } from "../../support/processorTime.ts"

const rulesIn = (text: string) => findSecrets(text).map(({ rule }) => rule)

describe("A42: what is secret", () => {
  it("has an example for every rule there is", () => {
    expect([...new Set(trueSecrets.map(({ rule }) => rule))].toSorted()).toEqual(secretRules)
  })

  it.each(trueSecrets)("$rule: $shown", ({ rule, secret, text }) => {
    const page = `# Page\n\nSeen in the log:\n${text}\nand so on.\n`
    expect(rulesIn(page)).toContain(rule)
    expect(findSecrets(page)[0]).toMatchObject({ line: 4 })
    const clean = redact(page)
    expect(clean).not.toContain(secret)
    expect(clean).toContain(`[redacted:${rule}]`)
    expect(clean.endsWith("\nand so on.\n")).toBe(true)
    expect(redact(clean)).toBe(clean)
    // What the capture hook has of it sees every kind too.
    expect(redactLean(page)).not.toContain(secret)
  })

  it("redacts a secret whole, also where the preset names another place", () => {
    const secret = "aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xYaB3dE6fG"
    expect(redact(`export AWS_SECRET_ACCESS_KEY="${secret}"`)).toBe('export AWS_SECRET_ACCESS_KEY="[redacted:aws]"')
  })

  it("leaves the rest of an address readable", () => {
    expect(redact("psql postgres://app:s3cr3t@db.internal:5432/ledger")).toBe(
      "psql postgres://app:[redacted:url-password]@db.internal:5432/ledger"
    )
  })

  it("does not let a text switch the rules off", () => {
    const token = `ctxp_${"aB3dE6fG9hJ2kL5m"}`
    expect(rulesIn(`<!-- secretlint-disable -->\n${token}`)).toEqual(["ctx-token"])
  })

  it("leaves out the rules that are allowed, and no other", () => {
    const text = `postgres://u:p@h/db\nctxp_${"aB3dE6fG9hJ2kL5m"}`
    expect(findSecrets(text, ["url-password"])).toMatchObject([{ rule: "ctx-token", line: 2 }])
    // Another rule that sees the same says nothing of it then.
    expect(findSecrets(`API_TOKEN=ghp_${"aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xYaB3d"}`, ["github"])).toEqual([])
  })
})

describe("what only looks like a secret stays as it is", () => {
  it.each([
    "commit 3d92c53f1e8a0b7c6d5e4f3a2b1c0d9e8f7a6b5c, and 192383d",
    "token: 3d92c53f1e8a0b7c6d5e4f3a2b1c0d9e8f7a6b5c is the sha of a commit",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "id 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d",
    "AKIAIOSFODNN7EXAMPLE and wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY are Amazon's examples",
    `sk_${"test_4eC39HqLyjWDarjtT1zdp7dc"}`,
    "const key = import.meta.env.VITE_API_KEY",
    "const apiKey = process.env.API_KEY_2024",
    "there is no API key in the build",
    "the password: we ask for it; a token = what a server gave you",
    "Authorization: Bearer <token>, Bearer $TOKEN, Bearer YOUR_API_KEY_GOES_HERE, Bearer eyJhbGciOi...",
    "bearer token-based-authentication-2026-12-01-reasoning",
    "postgres://user:password@localhost:5432/db, postgres://$USER:${PASSWORD}@db, mysql://root:<password>@h",
    "postgres://postgres:postgres@localhost/postgres",
    "http://localhost:3000/@scope/page, git@github.com:acme/app.git, ssh://git@host:22/app",
    "docker://alpine:3.19@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQ...\n-----END PRIVATE KEY-----",
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----",
    "a PEM file begins with -----BEGIN PRIVATE KEY----- and then come lines of Base64 until it ends",
    "sha512-dPnplMyjJYpVCJDNTjpUA8c/AfoHbWANJJJWKroK50DGGhAB4Oumzk+XinBMyMMAwgOsjU9CB9lUHXDvObMVCg==",
    `ghp_${"x".repeat(36)}`,
    "nextPageToken: CiAKGjBpNDd2Nmp2Zml2cXRwYjBpOXA",
    "2026-12-01-stripe-subscription-reasoning",
    "ctx_push, ctxp_ and ctxi_ tokens, ctx://raw/2026-12-01-session-abc123"
  ])("%s", (text) => {
    expect(findSecrets(text)).toEqual([])
    expect(redact(text)).toBe(text)
    expect(redactLean(text)).toBe(text)
  })

  it("any text without a secret comes back as the very same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        if (findSecrets(text).length === 0) expect(redact(text)).toBe(text)
        expect(redact(redact(text))).toBe(redact(text))
      })
    )
  })
})

describe("a megabyte made to be slow", () => {
  const key = "aB3dE6fG9hJ2kL5mN8pQ1rS4tU7vW0xYaB3d"
  const hostile: Readonly<Record<string, string>> = {
    letters: "a",
    blanks: " ",
    lines: "\n",
    "app tokens": "ghs_1_",
    "long app tokens": `${"ghs_1_".repeat(166)}.${"a".repeat(10_000)}`,
    "half JWTs": "eyJaaaaaaaa.eyJ",
    addresses: "a://b:c@@@@",
    "PEM heads": "-----BEGIN PRIVATE KEY-----",
    "PEM without end": `-----BEGIN RSA PRIVATE KEY-----${"A".repeat(9000)}`,
    names: "password = ",
    "SendGrid's": `SG.${"a".repeat(128)}.${"a".repeat(300)}`,
    secrets: `ghp_${key}`,
    "secrets without line ends": `ghp_${key} `
  }
  it.each(Object.entries(hostile))("%s: the time grows with the text, and no faster", (_, part) => {
    const time = (length: number) => {
      const text = part.repeat(Math.ceil(length / part.length))
      return processorTime(() => findSecrets(text))
    }
    time(10_000)
    // Measured: 50 to 500 ms of an idle machine. What is quadratic takes minutes.
    expect(time(1_000_000)).toBeLessThan(5_000)
  })
})

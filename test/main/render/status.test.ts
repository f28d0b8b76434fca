import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import type { LocalStatus, ServerStatus } from "../../../src/effects/sync/status.ts"
import { statusJson, statusText } from "../../../src/main/render/status.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"
import { Slug } from "../../../src/model/page/Slug.ts"

const wired: LocalStatus = {
  root: "/home/dev/acme",
  server: Option.some("https://contexo.example.com"),
  repo: Option.some("acme-api"),
  authKind: Option.some("legacy API key"),
  user: Option.some({ name: "dev", email: "dev@example.com" }),
  localPages: 1,
  lastPull: Option.none(),
  neverPushed: [],
  awaitingMerge: [],
  pendingBuffers: 3,
  problems: []
}

const bare: LocalStatus = {
  ...wired,
  server: Option.none(),
  repo: Option.none(),
  authKind: Option.none(),
  user: Option.none(),
  localPages: 0
}

const page = pagePath("concept", Slug.make("retry-rule"))
const known = (behind: number | undefined, ...drifted: Extract<ServerStatus, { _tag: "Known" }>["drifted"]) =>
  Option.some<ServerStatus>({ _tag: "Known", drifted, behind: Option.fromNullable(behind) })

describe("ctx status", () => {
  it("prints the lines of the source", () => {
    expect(statusText(wired, known(0), [])).toBe(
      [
        "Initialized: yes",
        "Server: https://contexo.example.com",
        "Repo: acme-api",
        "Authenticated: yes (legacy API key)",
        "User: dev <dev@example.com>",
        "Local pages: 1",
        "Last pull: (never)",
        "Pages never pushed: 0",
        "Pages drifted on server: 0"
      ].join("\n")
    )
  })

  it("prints the lines of the source before a remote is configured", () => {
    expect(statusText(bare, Option.none(), [])).toBe(
      [
        "Initialized: yes",
        "Server: (none — run 'ctx remote set <url>')",
        "Repo: (none — run 'ctx remote set-repo <id>')",
        "Authenticated: no",
        "Local pages: 0",
        "Last pull: (never)",
        "Pages never pushed: 0"
      ].join("\n")
    )
  })

  it("lists what drifted, how far behind it is, and what awaits a merge", () => {
    const local = Sha.make("a4b2c1d3".padEnd(40, "0"))
    const server = Sha.make("99887766".padEnd(40, "0"))
    const status = { ...wired, lastPull: Option.some(local), awaitingMerge: [page] }
    expect(
      statusText(status, known(2, { path: page, local, server }), [])
        .split("\n")
        .slice(6)
    ).toEqual([
      "Last pull: a4b2c1d3",
      "Pages never pushed: 0",
      "Pages drifted on server (run `ctx pull` to refresh): 1",
      "  wiki/concepts/retry-rule.md   (local a4b2c1d3 → server 99887766)",
      "Behind server: 2 commit(s)",
      "Pages awaiting merge: 1"
    ])
  })

  it("says why the server could not be asked", () => {
    const unknown = Option.some<ServerStatus>({ _tag: "Unknown", reason: "no answer" })
    expect(statusText(wired, unknown, []).split("\n").at(-1)).toBe("Pages drifted on server: unknown (no answer)")
    expect(statusJson(wired, unknown)).toMatchObject({ server_unknown: "no answer" })
    expect(statusJson(wired, unknown)).not.toHaveProperty("drifted")
  })

  it("names problems and look-alikes after the specified lines (A03, A18)", () => {
    const status = { ...bare, problems: [{ path: "wiki/concepts/\u001b[31mx.md", reason: "unclosed\nlist" }] }
    expect(statusText(status, Option.none(), ["/home/dev/other"]).split("\n").slice(7)).toEqual([
      "Problem: wiki/concepts/x.md: unclosed list",
      "No pages here, but another project is at /home/dev/other"
    ])
  })

  it("has every key of the JSON contract", () => {
    expect(statusJson(wired, known(1))).toEqual({
      initialized: true,
      root: "/home/dev/acme",
      server: "https://contexo.example.com",
      repo: "acme-api",
      authenticated: true,
      auth_kind: "legacy API key",
      user: { name: "dev", email: "dev@example.com" },
      local_pages: 1,
      last_pull: null,
      never_pushed: [],
      awaiting_merge: [],
      drifted: [],
      behind: 1,
      problems: [],
      pending_buffers: 3
    })
    expect(statusJson(bare, Option.none())).toMatchObject({
      server: null,
      repo: null,
      authenticated: false,
      auth_kind: null
    })
  })
})

import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder, server } from "../support/cli.ts"
import { mcpProcess } from "../support/mcp.ts"
import { atTerminal } from "../support/terminal.ts"

/** A person's project, wired to a server. */
const wired = Effect.fnUntraced(function* (to: { readonly url: string; readonly token: string }) {
  const root = yield* folder
  const run = (...args: ReadonlyArray<string>) => ctx(root, args)
  const says = (...args: ReadonlyArray<string>) =>
    Effect.map(run(...args), ({ code, stderr, stdout }) => {
      expect(code, stderr).toBe(0)
      return stdout.trimEnd().split("\n")
    })
  yield* says("init", "--no-mcp")
  yield* says("login", "--server", to.url, "--token", to.token, "--repo", "acme")
  const file = (slug: string) => join(root, ".contexo", "wiki", "concepts", `${slug}.md`)
  return { root, run, says, file }
})

const page = (body: string) =>
  `---\nschema: ctx.page.v1\nslug: rule\ntype: concept\nauthor: ada\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n${body}`

describe("a page's life, as people and agents see it", () => {
  it.scopedLive("history, diff, evolution, revert, rm, mv and purge", () =>
    Effect.gen(function* () {
      const ada = yield* wired(yield* server)
      const first = page("## Decision\n\nThree times.\n\n## Why\n\nIt works.\n")
      writeFileSync(ada.file("rule"), first)
      yield* ada.says("push", "-ym", "first")
      writeFileSync(ada.file("rule"), page("## Why\n\nIt works.\n\n## Decision\n\nFive times.\n"))
      yield* ada.says("push", "-ym", "second <PUSH_PAUSED>")

      const history = yield* ada.says("history", "rule")
      expect(history).toEqual([
        expect.stringMatching(/^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d {2}\S+ +second <\\PUSH_PAUSED>$/),
        expect.stringMatching(/^[0-9a-f]{8} {2}\d{4}-\d\d-\d\d {2}\S+ +first$/)
      ])
      const sha = history[1]?.slice(0, 8) ?? ""
      const limited = yield* ada.run("history", "rule", "--limit", "1", "--json")
      expect(JSON.parse(limited.stdout)).toMatchObject({ commits: [{}], next_cursor: expect.any(String) })

      expect((yield* ada.says("diff", "rule", "--blame")).slice(2)).toEqual([
        "Sections",
        expect.stringMatching(/^ {2}> ## Why \(moved\) — introduced by \S+ at [0-9a-f]{7}$/),
        expect.stringMatching(/^ {2}~ ## Decision \(2 lines changed\) — introduced by \S+ at [0-9a-f]{7}$/),
        "      - Three times.",
        "      + Five times."
      ])
      const evolution = yield* ada.says("evolution", "rule")
      expect(evolution.slice(1, 3)).toEqual(["    > ## Why (moved)", "    ~ ## Decision (2 lines changed)"])

      const { peer } = yield* mcpProcess(ada.root)
      yield* peer.greet()
      expect((yield* peer.call("ctx_history", { slug: "rule", limit: "1" })).text.split("\n")).toEqual([
        "Commits for wiki/concepts/rule.md (newest first):",
        "",
        expect.stringMatching(/^[0-9a-f]{7} {2}\d{4}-\d\d-\d\d {2}\S+ — second <\\PUSH_PAUSED>$/),
        "",
        expect.stringMatching(/^\[Older commits were left off: call ctx_history again with cursor=".+"\.\]$/)
      ])
      const evolved = (yield* peer.call("ctx_evolution", { slug: "rule" })).text.split("\n\n")
      expect(evolved[0]).toBe("Evolution of wiki/concepts/rule.md (2 commits, newest first):")
      expect(JSON.parse(evolved[1] ?? "")).toMatchObject([
        {
          diff: {
            sections: [
              { heading: "## Why", moved: true },
              { heading: "## Decision", status: "modified" }
            ]
          }
        },
        { commit: { message: "first" } }
      ])
      expect(evolved[1]).not.toMatch(/line_diff|Five/)
      expect((yield* peer.call("ctx_history", { slug: "ghost" })).text).toMatch(/^ctx_history: slug "ghost" not found/)
      expect((yield* peer.call("ctx_revert", { slug: "rule", to: "--output=/tmp/x" })).isError).toBe(true)

      const reverted = yield* peer.call("ctx_revert", { slug: "rule", to: sha })
      expect(reverted.text).toMatch(/^Reverted wiki\/concepts\/rule\.md to [0-9a-f]{7}; HEAD=[0-9a-f]{8}$/)
      expect(readFileSync(ada.file("rule"), "utf8")).toBe(first)

      expect((yield* ada.says("rm", "rule", "--json")).join("")).toContain('"outcome": "deleted"')
      // It is gone, and its name still leads to what it was.
      expect((yield* ada.says("history", "rule"))[0]).toMatch(/delete rule \(deleted\)$/)
      yield* ada.says("revert", "rule", sha)
      expect(readFileSync(ada.file("rule"), "utf8")).toBe(first)
      expect(yield* ada.says("mv", "rule", "retry-rule")).toEqual([
        expect.stringMatching(/^Renamed wiki\/concepts\/rule\.md to wiki\/concepts\/retry-rule\.md; HEAD=/)
      ])

      const unanswered = yield* ada.run("purge", "retry-rule")
      expect([unanswered.code, unanswered.stdout]).toEqual([3, expect.stringContaining("cannot be undone")])
      const question = "Proceed? [y/N]: "
      expect((yield* atTerminal(ada.root, ["purge", "retry-rule"], { question, answer: "n" })).stdout).toContain(
        "Aborted."
      )
      const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`
      const told = yield* ada.run("purge", "retry-rule", "-y", "--reason", `it held ${token}`)
      expect([told.code, told.stderr]).toEqual([
        1,
        expect.stringContaining("the reason holds what looks like a secret")
      ])
      expect(told.stdout + told.stderr).not.toContain(token)
      // The older texts stand under the older name: whoever scripts this hears of it.
      const purged = yield* ada.run("purge", "retry-rule", "-y", "--reason", "leak")
      expect([purged.code, ...purged.stdout.trimEnd().split("\n")]).toEqual([
        3,
        expect.stringMatching(
          /^Purged wiki\/concepts\/retry-rule\.md: the content of 1 version\(s\) is gone from the server; HEAD=/
        ),
        "deleted: wiki/concepts/retry-rule.md",
        "still under an older name: wiki/concepts/rule.md (purge it too, with --keep-current where it is another page now)",
        "Whoever pulled the page still has it: replace what leaked all the same."
      ])
      const older = yield* ada.run("purge", "rule", "-y", "--json")
      expect([older.code, JSON.parse(older.stdout)]).toEqual([
        0,
        expect.objectContaining({ outcome: "purged", purged: 4, still_in: [], formerly: [] })
      ])
      expect(yield* ada.says("status")).toContain("Local pages: 0")
    })
  )
})

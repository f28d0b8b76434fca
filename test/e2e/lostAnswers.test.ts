import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder, server } from "../support/cli.ts"
import { lossyProxy } from "../support/lossyProxy.ts"

const lost3 = ["answer lost", "answer lost", "answer lost"] as const

/** A clone whose server is behind a proxy that loses things, with one page that is on the server. */
const behindProxy = Effect.gen(function* () {
  const to = yield* server
  const proxy = yield* lossyProxy(to.url)
  const root = yield* folder
  const page = join(root, ".contexo", "wiki", "concepts", "retry.md")
  const push = ctx(root, ["push", "--json"])
  const edit = (text: string) =>
    Effect.sync(() => {
      const before = readFileSync(page, "utf8")
      writeFileSync(page, before.replace(/## Decision[^]*/, `## Decision\n\n${text}\n`))
    })
  /** How many commits the server has. */
  const commits = Effect.map(ctx(root, ["log", "--json"]), ({ stdout }): number => JSON.parse(stdout).commits.length)
  yield* ctx(root, ["init", "--no-mcp"])
  yield* ctx(root, ["login", "--server", proxy.url, "--token", to.token, "--repo", "acme"])
  yield* ctx(root, ["write", "retry", "--type", "concept", "-"], { stdin: "## Decision\n\nOnce.\n" })
  expect((yield* push).code).toBe(0)
  return { root, proxy, push, edit, commits }
})

const outcome = (stdout: string): unknown => JSON.parse(stdout).outcome

describe("a push whose answer is lost", () => {
  it.scopedLive("is tried again under its push id, and makes one commit", () =>
    Effect.gen(function* () {
      const { commits, edit, proxy, push } = yield* behindProxy
      yield* edit("Twice.")
      proxy.lose("answer lost")
      const finished = yield* push
      expect(finished).toMatchObject({ code: 0, stderr: "" })
      expect(outcome(finished.stdout)).toBe("pushed")
      expect(proxy.pushes).toEqual(["passes", "answer lost", "passes"])
      expect(yield* commits).toBe(2)
    })
  )

  it.scopedLive("every time: it says so, and the page, edited on, does not conflict with itself", () =>
    Effect.gen(function* () {
      const { commits, edit, proxy, push, root } = yield* behindProxy
      yield* edit("Twice.")
      proxy.lose(...lost3)
      const failed = yield* push
      expect(failed.code).toBe(1)
      expect(JSON.parse(failed.stdout)).toMatchObject({ error: { kind: "ServerUnreachable" } })
      expect(yield* commits).toBe(2)

      // It landed; then an edit whose push never arrives, and another one.
      yield* edit("Three times.")
      proxy.lose("request lost", "request lost", "request lost")
      expect((yield* push).code).toBe(1)
      yield* edit("Four times.")
      const settled = yield* push
      expect(settled).toMatchObject({ code: 0, stderr: "" })
      expect(outcome(settled.stdout)).toBe("pushed")
      expect(yield* commits).toBe(3)
      expect(outcome((yield* push).stdout)).toBe("nothing")
      expect((yield* ctx(root, ["read", "retry"])).stdout).toContain("Four times.")
    })
  )

  it.scopedLive("leaves a pull in between knowing whose edit it sees", () =>
    Effect.gen(function* () {
      const { edit, proxy, push, root } = yield* behindProxy
      yield* edit("Twice.")
      proxy.lose(...lost3)
      yield* push
      yield* edit("Three times.")
      proxy.lose("request lost", "request lost", "request lost")
      yield* push
      yield* edit("Four times.")
      const pulled = yield* ctx(root, ["pull", "--json"])
      expect(JSON.parse(pulled.stdout)).toMatchObject({ kept: [], merged: [], pulled: [] })
      expect((yield* ctx(root, ["read", "retry"])).stdout).toContain("Four times.")
      expect(outcome((yield* push).stdout)).toBe("pushed")
    })
  )
})

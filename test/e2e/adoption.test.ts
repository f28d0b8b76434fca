import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, execute, folder, server } from "../support/cli.ts"
import { type GoClient, goClient, goPage } from "../support/goClient.ts"
import { type PublicServer, publicServer } from "../support/publicServer.ts"

const retry = "wiki/concepts/retry.md"
const trail = "raw/sessions/2026-06-13-trail.md"
const body = (decision: string) => `\n## Decision\n\n${decision}\n`

const json = (text: string) => JSON.parse(text)
const says = (root: string, ...args: ReadonlyArray<string>) =>
  Effect.map(ctx(root, args), (finished) => {
    expect(finished).toMatchObject({ code: 0, stderr: "" })
    return finished.stdout
  })
const edit = (clone: GoClient, path: string, from: string, to: string) =>
  Effect.sync(() => writeFileSync(clone.file(path), clone.text(path).replace(from, to)))

/** A folder of the public client with two pages, pushed to a server of ours. */
const adopted = Effect.gen(function* () {
  const { token, url } = yield* server
  const remote = { url, token, repo: "acme" }
  const ours = goClient(yield* folder, remote)
  ours.write(retry, body("Once."))
  ours.write(trail, body("How it came to that."))
  yield* ours.push
  return { ours, mate: goClient(yield* folder, remote) }
})

describe("a .contexo/ of the public client", () => {
  it.scopedLive("works as it is, and comes out as it went in", () =>
    Effect.gen(function* () {
      const { ours } = yield* adopted
      for (let n = 0; n < 60; n++) ours.write(`wiki/entities/queue-${n}.md`, body(`Queue ${n}.`))
      yield* ours.push
      // Afterwards the server has nothing newer than this client's last pull, and no base lies here.
      yield* ours.pull
      const names = [retry, trail, "config.json", "credentials.json"]
      const before = names.map(ours.text)
      const shas = ours.state().page_shas
      expect(json(yield* says(ours.root, "status", "--json"))).toMatchObject({
        initialized: true,
        repo: "acme",
        authenticated: true,
        auth_kind: "personal access token",
        user: { name: "Gopher", email: "go@example.com" },
        local_pages: 62,
        last_pull: ours.state().last_pull_sha,
        never_pushed: [],
        problems: [],
        drifted: []
      })
      expect(yield* says(ours.root, "pull")).toBe("Already up to date\n")
      expect(yield* says(ours.root, "push")).toBe("Nothing to push (everything is already on the server)\n")
      expect(names.map(ours.text)).toEqual(before)
      expect(ours.state().page_shas).toEqual(shas)

      yield* edit(ours, retry, "Once.", "Twice.")
      expect(yield* says(ours.root, "push")).toMatch(/^Pushed 1 page\(s\); HEAD=[0-9a-f]{8}\n$/)
      expect(ours.text(retry)).toBe(before[0]?.replace("Once.", "Twice."))
      // And the other client goes on from there.
      ours.write(retry, body("Three times."))
      expect(yield* ours.push).toMatchObject({
        pushed: expect.arrayContaining([expect.objectContaining({ path: retry })])
      })
    })
  )

  it.scopedLive("is used by both in turn: equal pages are adopted, different ones are kept and named", () =>
    Effect.gen(function* () {
      const { mate, ours } = yield* adopted
      yield* says(ours.root, "pull")
      const mateWrites = (decision: string) =>
        Effect.gen(function* () {
          yield* mate.pull
          mate.write(retry, body(decision))
          return yield* mate.push
        })
      const unknown = Effect.map(ctx(ours.root, ["doctor", "--json"]), ({ stdout }) =>
        json(stdout).findings.flatMap(({ check, path }: Record<string, unknown>) =>
          check === "unknown-base" ? [path] : []
        )
      )

      // The other client pulls: our base is of an older sha now, and the page is the server's.
      yield* mateWrites("Twice.")
      yield* ours.pull
      expect(yield* unknown).toEqual([retry])
      expect(yield* says(ours.root, "pull")).toBe("Already up to date\n")
      expect(yield* unknown).toEqual([])

      // It pulls again, an editor goes on from there, and so does the teammate.
      yield* mateWrites("Three times.")
      yield* ours.pull
      yield* edit(ours, retry, "Three times.", "Three times, here.")
      yield* mateWrites("Three times, there.")
      const kept = ours.text(retry)
      expect(yield* says(ours.root, "pull")).toMatch(
        /^Pulled 0 page\(s\); HEAD=[0-9a-f]{8}\nkept: wiki\/concepts\/retry\.md \(differs from the server's, and what it was based on is not known/
      )
      expect(ours.text(retry)).toBe(kept)
      const push = yield* ctx(ours.root, ["push"])
      expect(push.code).toBe(3)
      for (const version of ["  Three times.\n", "  Three times, here.\n", "  Three times, there.\n"]) {
        expect(push.stdout).toContain(version)
      }
      yield* edit(ours, retry, "Three times, here.", "Three times, here and there.")
      expect(yield* says(ours.root, "push")).toMatch(/^Pushed 1 page/)
      yield* mate.pull
      expect(mate.text(retry)).toBe(ours.text(retry))
    })
  )
})

/** A folder of the public client with two pages on a public server, pulled once by ours. */
const onPublicServer = Effect.gen(function* () {
  const there = yield* publicServer
  const ours = goClient(yield* folder, { url: there.url, token: "legacy-key", repo: "acme" })
  ours.write(retry, body("Once."))
  ours.write(trail, body("How it came to that."))
  yield* ours.push
  expect(yield* says(ours.root, "pull")).toBe("Already up to date\n")
  return { ours, there }
})

const pushedPaths = ({ received }: PublicServer): ReadonlyArray<string> => {
  const last = received.findLast(({ url }) => url.endsWith("/sync/push"))
  return json(last?.body ?? "{}").files.map(({ path }: { readonly path: string }) => path)
}

describe("a public server", () => {
  it.scopedLive("takes a push in part: what landed is recorded, what did not is handed over as a merge", () =>
    Effect.gen(function* () {
      const { ours, there } = yield* onPublicServer
      there.commit(retry, goPage(retry, body("Twice, there.")))
      yield* edit(ours, retry, "Once.", "Twice, here.")
      yield* edit(ours, trail, "How it came", "How it really came")
      const push = yield* ctx(ours.root, ["push", "--json"])
      expect(push.code).toBe(3)
      expect(json(push.stdout)).toMatchObject({
        outcome: "merge_required",
        conflicts: [{ path: retry, sections: ["## Decision"] }]
      })
      expect(there.head(trail)?.text).toBe(ours.text(trail))
      expect(ours.state().page_shas[trail]).toBe(there.head(trail)?.sha)

      yield* edit(ours, retry, "Twice, here.", "Twice, here and there.")
      expect(yield* says(ours.root, "push")).toMatch(/^Pushed 1 page/)
      expect(pushedPaths(there)).toEqual([retry])
      expect(there.head(retry)?.text).toContain("Twice, here and there.")
    })
  )

  it.scopedLive(
    "A40: fails on a commit that it no longer knows: everything is looked at, and what is here is kept",
    () =>
      Effect.gen(function* () {
        const { ours, there } = yield* onPublicServer
        there.commit(retry, goPage(retry, body("Twice.")))
        yield* says(ours.root, "pull")
        const before = ours.text(retry)
        there.forget(1)
        expect(yield* says(ours.root, "pull")).toMatch(/\nkept: wiki\/concepts\/retry\.md \(the server no longer knows/)
        expect(ours.text(retry)).toBe(before)
        expect(yield* says(ours.root, "push")).toMatch(/^Pushed 1 page/)
        expect(there.head(retry)?.text).toBe(before)
      })
  )

  it.scopedLive("sends a removed page as an empty file: it goes here too, unless it was edited", () =>
    Effect.gen(function* () {
      const { ours, there } = yield* onPublicServer
      there.remove(retry)
      expect(yield* says(ours.root, "pull")).toMatch(/\ndeleted: wiki\/concepts\/retry\.md\n$/)
      yield* edit(ours, trail, "How it came", "How it really came")
      there.remove(trail)
      expect(yield* says(ours.root, "pull")).toMatch(
        /\nkept: raw\/sessions\/2026-06-13-trail\.md \(deleted on the server/
      )
      expect(ours.text(trail)).toContain("How it really came")
    })
  )
})

describe("a .contexo/ that git keeps too", () => {
  it.scopedLive("at an older commit: nothing passes for a successor of what it never saw", () =>
    Effect.gen(function* () {
      const { mate, ours } = yield* adopted
      const git = (...args: ReadonlyArray<string>) =>
        execute(["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...args], { cwd: ours.root })
      const commit = (message: string) =>
        Effect.zipRight(
          git("add", ".contexo/wiki", ".contexo/raw", ".contexo/.sync/state.json"),
          git("commit", "-qm", message)
        )
      yield* git("init", "-qb", "main")
      yield* says(ours.root, "pull")
      yield* commit("once")
      yield* edit(ours, retry, "Once.", "Twice.")
      yield* says(ours.root, "push")
      yield* commit("twice")

      yield* git("checkout", "-q", "HEAD~1")
      expect(ours.text(retry)).toContain("Once.")
      const older = ours.text(retry)
      expect(yield* says(ours.root, "pull")).toMatch(/\nkept: wiki\/concepts\/retry\.md \(differs from the server's/)
      expect(ours.text(retry)).toBe(older)
      yield* edit(ours, retry, "Once.", "Once, but.")
      const push = yield* ctx(ours.root, ["push"])
      expect(push.code).toBe(3)
      expect(push.stdout).toContain("  Twice.\n")

      yield* git("checkout", "-qf", "main")
      expect(yield* says(ours.root, "pull")).toBe("Already up to date\n")
      expect(yield* says(ours.root, "push")).toBe("Nothing to push (everything is already on the server)\n")
      yield* mate.pull
      expect(mate.text(retry)).toBe(readFileSync(join(ours.root, ".contexo", retry), "utf8"))
      expect(mate.text(retry)).toContain("Twice.")
    })
  )
})

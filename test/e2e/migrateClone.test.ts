import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { createServer } from "node:net"
import { cleanEnv, ctx, program } from "../support/cli.ts"
import { mcpProcess } from "../support/mcp.ts"
import { freshPlace } from "../support/place.ts"

/** A project, and a repository elsewhere that knows something. */
const start = Effect.gen(function* () {
  const place = yield* freshPlace
  yield* place.makeFolder("project/.contexo")
  yield* place.write("work/README.md", "# Handbook\n\nHow we answer the phone.\n")
  yield* place.git("work", "init", "-q", "-b", "main")
  yield* place.git("work", "add", "-A")
  yield* place.git("work", "commit", "-q", "-m", "x")
  yield* place.git(".", "clone", "-q", "--bare", "work", "handbook.git")
  const cache = place.below("project/.contexo/.migrate-cache")
  return {
    place,
    project: place.at("project"),
    url: `file://${place.at("handbook.git")}`,
    clones: Effect.map(
      Effect.orElseSucceed(cache.everything, () => []),
      (paths) => paths.filter((path) => !path.includes("/"))
    ).pipe(Effect.catchAllDefect(() => Effect.succeed<ReadonlyArray<string>>([])))
  }
}).pipe(Effect.provide(NodeContext.layer))

describe("a repository elsewhere", () => {
  it.scopedLive("is cloned, picked from, and kept until the import is done", () =>
    Effect.gen(function* () {
      const { clones, place, project, url } = yield* start
      const list = yield* ctx(project, ["migrate", url, "--list"])
      expect(list).toMatchObject({ code: 0, stderr: "" })
      expect(list.stdout).toMatch(
        new RegExp(`^1 knowledge item\\(s\\) in ${url}\n\ndocs:\n  \\[1\\] entity   README\\.md`)
      )
      expect(yield* clones).toEqual([])

      expect(yield* ctx(project, ["migrate", url, "--select", "9"])).toMatchObject({ code: 1, stdout: "" })
      expect(yield* clones).toEqual([])

      const staged = JSON.parse((yield* ctx(project, ["migrate", url, "--select", "all", "--json"])).stdout)
      expect(staged).toMatchObject({
        outcome: "staged",
        source: expect.stringMatching(/\.migrate-cache\/[0-9a-f]{8}\/handbook$/),
        items: [{ origin_url: url, abs_path: `${staged.source}/README.md` }]
      })
      // A second call, and one of an agent, find it as it was.
      yield* ctx(project, ["migrate", "--list"])
      const { peer } = yield* mcpProcess(project)
      yield* peer.greet()
      const resume = yield* peer.call("ctx_migrate")
      expect(resume.text).toContain(`(${staged.source}/README.md)`)
      expect(resume.text).toContain("-migrate-handbook")
      expect(yield* place.read(`${staged.source.slice(place.folder.length + 1)}/README.md`)).toContain("phone")

      expect((yield* ctx(project, ["migrate", "--done"])).stdout).toBe(
        "Done: the staged selection of 1 item(s) is cleared. 1 clone(s) deleted.\n"
      )
      expect(yield* clones).toEqual([])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("is kept for the agent that named it, until the next call", () =>
    Effect.gen(function* () {
      const { clones, project, url } = yield* start
      const { peer } = yield* mcpProcess(project)
      yield* peer.greet()
      const catalog = yield* peer.call("ctx_migrate", { url })
      expect(catalog.text).toMatch(/^<MIGRATE_CATALOG count=1 source="[^"]*\.migrate-cache\/[0-9a-f]{8}\/handbook">/)
      expect((yield* clones).length).toBe(1)
      yield* peer.call("ctx_migrate")
      expect(yield* clones).toEqual([])
      const bad = yield* peer.call("ctx_migrate", { url: "--upload-pack=touch x" })
      expect(bad).toMatchObject({ isError: true, text: expect.stringContaining("an address does not begin with '-'") })
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scopedLive("whose server is silent is left with everything that was started, when a person stops it", () =>
    Effect.gen(function* () {
      const { clones, project } = yield* start
      const { connected, port, disconnected } = yield* silentServer
      const [file, ...args] = [...program("ctx"), "migrate", `git://127.0.0.1:${port}/r`] as const
      const child = spawn(file, args, { cwd: project, env: cleanEnv(project), stdio: "ignore" })
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
      yield* Effect.promise(() => connected)
      expect((yield* clones).length).toBe(1)
      child.kill("SIGINT")
      expect(yield* Effect.promise(() => ended)).toBe(130)
      // The process that held the connection was git's, a child of a child.
      yield* Effect.promise(() => disconnected)
      expect(yield* clones).toEqual([])
    })
  )

  it.scopedLive("that cannot be had is said in one line, without its password", () =>
    Effect.gen(function* () {
      const { clones, project } = yield* start
      const failed = yield* ctx(project, ["migrate", "http://ada:s3cr3t@127.0.0.1:1/r.git"])
      expect(failed).toMatchObject({ code: 1, stdout: "" })
      expect(failed.stderr).toMatch(/^Error: http:\/\/127\.0\.0\.1:1\/r\.git could not be cloned: [^\n]*\n$/)
      expect(failed.stderr).not.toContain("s3cr3t")
      for (const url of ["ext::sh -c x", "ssh://-oProxyCommand=x/r"]) {
        expect(yield* ctx(project, ["migrate", "--", url])).toMatchObject({ code: 1, stdout: "" })
      }
      expect(yield* clones).toEqual([])
    })
  )
})

/** Takes a connection and says nothing. */
const silentServer = Effect.gen(function* () {
  const [connected, disconnected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer((socket) => {
    connected.resolve()
    socket.on("error", () => undefined).on("close", () => disconnected.resolve())
    socket.resume()
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close())
  )
  const at = server.address()
  const port = typeof at === "object" && at !== null ? at.port : 0
  return { port, connected: connected.promise, disconnected: disconnected.promise }
})

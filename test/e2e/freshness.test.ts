import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ctx, folder, serverOn } from "../support/cli.ts"
import { mcpProcess, oneSecond, type Message, type Peer } from "../support/mcp.ts"

/** A project, wired up where a server is named. */
const project = (url?: string, token?: string | null) =>
  Effect.gen(function* () {
    const root = yield* folder
    const contexo = join(root, ".contexo")
    mkdirSync(contexo)
    if (url === undefined) return root
    writeFileSync(join(contexo, "config.json"), JSON.stringify({ version: 1, server_url: url, repo_id: "acme" }))
    writeFileSync(join(contexo, "credentials.json"), JSON.stringify({ token, server_url: url }), { mode: 0o600 })
    return root
  })

/** An agent at its own `ctx-mcp`. */
const agent = (root: string) =>
  Effect.gen(function* () {
    const running = yield* mcpProcess(root)
    yield* running.peer.greet()
    const say = (tool: string, input = {}) => Effect.map(running.peer.call(tool, input), ({ text }) => text)
    const write = (slug: string, body: string) => say("ctx_write_page", { slug, type: "concept", body })
    const subscribe = (...uris: ReadonlyArray<string>) =>
      Effect.forEach(uris, (uri) =>
        Effect.map(running.peer.request("resources/subscribe", { uri }), ({ result }) => expect(result).toEqual({}))
      )
    return { ...running, say, write, subscribe }
  })

const isUpdate =
  (uri: string) =>
  ({ method, params }: Message) =>
    method === "notifications/resources/updated" && params?.["uri"] === uri

const isListChange = ({ method }: Message) => method === "notifications/resources/list_changed"

/** Forgets what came, so that only what comes from now on is waited for. */
const fromNow = (peer: Peer) => Effect.sync(() => void peer.received.splice(0))

describe("a client hears", () => {
  it.scopedLive("of what a teammate pushes, through a server that goes and comes back; nothing is pulled", () =>
    Effect.gen(function* () {
      const [data, running] = [yield* folder, yield* Scope.make()]
      const { token, url } = yield* Scope.extend(serverOn(data), running)
      const root = yield* project(url, token)
      const [ada, ben] = [yield* agent(root), yield* Effect.flatMap(project(url, token), agent)]
      const { child, exited, peer, stderr } = ada
      yield* ben.write("ports", "## Decision\n\n4848.\n")
      expect(yield* ben.say("ctx_push")).toMatch(/^Pushed 1/)
      expect(yield* ada.say("ctx_pull")).toMatch(/^Pulled 1/)

      yield* ada.subscribe("ctx://wiki/ports", "ctx://wiki/to-come")
      yield* ben.write("ports", "## Decision\n\n4849.\n")
      yield* ben.say("ctx_push")
      yield* peer.message(isUpdate("ctx://wiki/ports"))
      expect(yield* peer.read("ctx://wiki/ports")).toMatch(/^<DRIFT_NOTICE>[^]*4848/)

      yield* Scope.close(running, Exit.void)
      yield* fromNow(peer)
      yield* ben.write("to-come", "## Decision\n\nHere.\n")
      expect(yield* ben.say("ctx_push")).toContain("did not answer")
      yield* serverOn(data, new URL(url).port)
      expect(yield* ben.say("ctx_push")).toMatch(/^Pushed 1/)
      yield* peer.message(isUpdate("ctx://wiki/to-come"))
      yield* peer.message(isListChange)
      expect((yield* ctx(root, ["status"])).stdout).toContain("Behind server: 2 commit(s)")
      expect((yield* ada.say("ctx_status")).split("\n")).toHaveLength(8)

      const patience = yield* oneSecond
      const killed = performance.now()
      child.kill("SIGTERM")
      const { at, code } = yield* exited
      expect({ code, stderr, garbage: peer.garbage }).toEqual({ code: 0, stderr: [], garbage: [] })
      expect(at - killed).toBeLessThan(patience)
    })
  )

  it.scopedLive("of what others do to the files here, an editor and other processes of ours", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const [{ peer, subscribe }, other] = [yield* agent(root), yield* agent(root)]
      yield* subscribe("ctx://wiki/ports", "ctx://index")
      yield* other.write("ports", "4848.\n")
      yield* peer.message(isUpdate("ctx://wiki/ports"))
      yield* peer.message(isUpdate("ctx://index"))
      yield* peer.message(isListChange)

      yield* fromNow(peer)
      appendFileSync(join(root, ".contexo", "wiki", "concepts", "ports.md"), "By hand.\n")
      yield* peer.message(isUpdate("ctx://wiki/ports"))
      expect(peer.received.some(isListChange)).toBe(false)

      yield* peer.request("resources/unsubscribe", { uri: "ctx://index" })
      yield* fromNow(peer)
      yield* other.write("hosts", "Loopback.\n")
      yield* peer.message(isListChange)
      expect(peer.received.filter(({ method }) => method === "notifications/resources/updated")).toEqual([])
    })
  )
})

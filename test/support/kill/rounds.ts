import { Effect, Fiber, type Scope } from "effect"
import { mcpProcess } from "../mcp.ts"
import { type Broken, keep, pathOf, recordedOn, textOf } from "./books.ts"
import { busyMates, matePushes } from "./mates.ts"
import { startServer } from "./serverProcess.ts"
import { runCtx } from "./victim.ts"
import {
  type Attempt,
  check,
  checkDisk,
  checkIndex,
  checkServer,
  edit,
  heardPush,
  newBody,
  settle,
  through,
  victim,
  type World
} from "./world.ts"

export type Kind = "write" | "mcp" | "push" | "pull" | "serve"
type Round = (world: World) => Effect.Effect<void, Broken, Scope.Scope>

const mineSlug = (world: World) => `mine-${world.dice.int(0, 12)}`

/** Three `ctx write` at once, each killed at a moment of its own. */
const write: Round = Effect.fnUntraced(function* (world) {
  const slugs = world.dice.shuffled(Array.from({ length: 12 }, (_, n) => `mine-${n}`)).slice(0, 3)
  const attempts = yield* Effect.forEach(
    slugs,
    (slug) =>
      Effect.suspend(() => {
        const body = newBody(world)
        const args = ["write", slug, "--type", "concept", "-"]
        const kill = { stdin: body, watch: "wiki/concepts", named: true, share: 0.15 }
        return Effect.map(victim(world, args, kill), ({ stdout }): Attempt => ({
          slug,
          body,
          acknowledged: stdout.startsWith("Wrote ") && stdout.endsWith("\n")
        }))
      }),
    { concurrency: "unbounded" }
  )
  yield* checkDisk(world, attempts)
  const [slug, body] = [mineSlug(world), newBody(world)]
  yield* through(world, ["write", slug, "--type", "concept", "-"], body)
  yield* checkDisk(world, [{ slug, body, acknowledged: true }])
  yield* checkIndex(world)
})

/** Two `ctx-mcp` write in parallel; one is killed among its answers, and the other one does not notice. */
const mcp: Round = Effect.fnUntraced(function* (world) {
  const { dice, root, tally } = world
  const greeted = Effect.tap(mcpProcess(root), ({ peer }) => peer.greet())
  const [doomed, other] = yield* Effect.all([greeted, greeted], { concurrency: "unbounded" })
  const slugs = dice.shuffled(Array.from({ length: 40 }, (_, n) => `mine-${n}`))
  const plan = (from: number, to: number) => slugs.slice(from, to).map((slug) => ({ slug, body: newBody(world) }))
  const [firsts, seconds] = [plan(0, 20), plan(20, 40)]
  const ask = (of: typeof doomed, jobs: typeof firsts) =>
    Effect.forEach(jobs, ({ body, slug }) => of.peer.call("ctx_write_page", { slug, type: "concept", body }), {
      concurrency: "unbounded"
    })
  const ofDoomed = yield* Effect.fork(ask(doomed, firsts))
  const ofOther = yield* Effect.fork(ask(other, seconds))
  yield* doomed.peer.message(({ result }) => result?.["content"] !== undefined)
  yield* Effect.sleep(dice.int(0, 120))
  doomed.child.kill("SIGKILL")
  tally.kills++
  yield* doomed.exited
  yield* Fiber.interrupt(ofDoomed)
  const told = new Set(
    doomed.peer.received.flatMap(({ result }) => {
      const [, slug] = /Wrote wiki\/concepts\/(.+)\.md/.exec(JSON.stringify(result ?? {})) ?? []
      return slug === undefined ? [] : [slug]
    })
  )
  const answers = yield* Fiber.join(ofOther)
  yield* check(() =>
    keep(
      "a server goes on when another one is killed",
      answers.every(({ isError }) => !isError),
      answers.filter(({ isError }) => isError)
    )
  )
  yield* checkDisk(world, [
    ...firsts.map((job): Attempt => ({ ...job, acknowledged: told.has(job.slug) })),
    ...seconds.map((job): Attempt => ({ ...job, acknowledged: true }))
  ])
  const last = { slug: mineSlug(world), body: newBody(world) }
  yield* ask(other, [last])
  yield* checkDisk(world, [{ ...last, acknowledged: true }])
  yield* checkIndex(world)
})

const editSome = (world: World) =>
  Effect.repeatN(
    Effect.suspend(() => edit(world, mineSlug(world))),
    world.dice.int(0, 6)
  )

/** `ctx push` is killed, once or more, with or without edits between; the next one settles it without a conflict. */
const push: Round = Effect.fnUntraced(function* (world) {
  const { dice } = world
  yield* editSome(world)
  for (let kill = dice.int(1, 4); kill > 0; kill--) {
    const { versions } = yield* checkServer(world, false)
    yield* heardPush(world, yield* victim(world, ["push", "--json"], { watch: ".sync", share: 0.4 }))
    yield* checkDisk(world)
    const unheard = world.acknowledged.length === 0
    if ((yield* checkServer(world, false)).versions > versions && unheard) world.tally.halfway++
    if (dice.chance(0.6)) yield* editSome(world)
  }
  yield* settle(world, false)
  yield* checkDisk(world)
})

/** `ctx pull` is killed while teammates' pages come in and pages written here are not shared yet. */
const pull: Round = Effect.fnUntraced(function* (world) {
  const { dice, root, theirs } = world
  for (let n = dice.int(3, 10); n > 0; n--) yield* matePushes(world, `theirs-${dice.int(0, 10)}`)
  if (dice.chance(0.5)) yield* editSome(world)
  const takeNew = (acknowledged: boolean) =>
    check(() => {
      for (const [slug, { text }] of world.mates) {
        const there = recordedOn(root)[pathOf(slug)] !== undefined || acknowledged || existing(root, slug)
        if (!there) continue
        const now = textOf(root, slug)
        keep("a pull leaves the old or the new page", now === text || (!acknowledged && now === theirs.get(slug)), slug)
        theirs.set(slug, now)
      }
    })
  const before = new Map(theirs)
  const first = yield* victim(world, ["pull", "--json"], { watch: "wiki/concepts", named: true, share: 0.1 })
  yield* takeNew(!first.killed)
  if (first.killed && [...theirs].some(([slug, text]) => before.get(slug) !== text)) world.tally.halfway++
  yield* checkDisk(world)
  const { stdout } = yield* through(world, ["pull", "--json"])
  yield* check(() =>
    keep("a pull after a killed pull keeps nothing back", JSON.parse(stdout).kept.length === 0, stdout)
  )
  yield* takeNew(true)
  yield* checkDisk(world)
  if (JSON.parse(stdout).outcome === "pulled") yield* checkIndex(world)
  yield* check(() => {
    const recorded = recordedOn(root)
    for (const [slug, { sha }] of world.mates) {
      keep("a pull records what it took", recorded[pathOf(slug)] === sha, slug)
    }
  })
})

const existing = (root: string, slug: string): boolean => {
  try {
    return textOf(root, slug) !== ""
  } catch {
    return false
  }
}

/** The server is killed while four teammates and this clone push, and comes back under its address. */
const serve: Round = Effect.fnUntraced(function* (world) {
  const { dice, tally } = world
  yield* editSome(world)
  let goOn = true
  const mates = yield* Effect.fork(
    busyMates(
      world,
      Array.from({ length: 4 }, (_, n) => `theirs-${n}`),
      () => goOn
    )
  )
  const own = yield* Effect.fork(victimless(world))
  yield* Effect.sleep(dice.pick([dice.int(20, 200), dice.int(200, 900)]))
  yield* world.server.kill
  tally.kills++
  world.server = yield* startServer(world.data, world.server.port)
  yield* heardPush(world, yield* Fiber.join(own))
  goOn = false
  yield* Fiber.join(mates)
  yield* checkServer(world, true)
  yield* settle(world, false)
  yield* through(world, ["pull", "--json"])
  yield* check(() => {
    for (const [slug, { text }] of world.mates) world.theirs.set(slug, text)
  })
  yield* checkDisk(world)
})

/** A push that nobody kills but the server, perhaps, dies under. */
const victimless = (world: World) => runCtx(world.root, ["push", "--json"])

export const rounds: Readonly<Record<Kind, Round>> = { write, mcp, push, pull, serve }

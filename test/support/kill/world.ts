import { Effect } from "effect"
import { mkdirSync, mkdtempSync, realpathSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bodyOf, Broken, indexedOn, keep, pathOf, recordedOn, slugsOn, textOf } from "./books.ts"
import type { Dice } from "./dice.ts"
import { type ServerBooks, readBooks, type Stored } from "./serverBooks.ts"
import { type ServerProcess, startServer } from "./serverProcess.ts"
import { type Ended, type Moment, runCtx } from "./victim.ts"

export const repo = "acme"

/** One clone with its server, and what both must hold. */
export interface World {
  readonly dice: Dice
  readonly root: string
  readonly data: string
  server: ServerProcess
  readonly token: string
  /** What the disk must hold of the pages that are written here: the body, by slug. */
  readonly mine: Map<string, string>
  /** What the disk must hold of the pages that come from the server: the text, by slug. */
  readonly theirs: Map<string, string>
  /** What the teammates pushed last, by slug. */
  readonly mates: Map<string, { readonly sha: string; readonly text: string }>
  /** Acknowledged pushes since the books were read last. */
  acknowledged: Array<Stored>
  /** How long a command of a name usually takes, in milliseconds. */
  readonly usual: Map<string, number>
  /** Of the kind of round that is being played. */
  tally: Tally
  serial: number
}

/** What a loop did, so that a reader can tell that it was no walk in the park. */
export interface Tally {
  rounds: number
  /** Processes that were killed before they were through. */
  kills: number
  /** Processes that were through before their moment came. */
  missed: number
  /** Kills after which something had changed that nobody was told of. */
  halfway: number
  /** Writes, pushed pages and pulls that were acknowledged. */
  acknowledged: number
}

export const newTally = (): Tally => ({ rounds: 0, kills: 0, missed: 0, halfway: 0, acknowledged: 0 })

/** Runs checks that throw `Broken`. */
export const check = <A>(what: () => A): Effect.Effect<A, Broken> =>
  Effect.try({
    try: what,
    catch: (error) =>
      error instanceof Broken ? error : new Broken({ promise: "nothing unexpected happens", detail: String(error) })
  })

/** A clone and a server that both hold some pages already. */
export const newWorld = Effect.fnUntraced(function* (folder: string, dice: Dice) {
  const home = realpathSync(mkdtempSync(join(folder, "world-")))
  const [root, data] = [join(home, "ada"), join(home, "data")]
  for (const made of [root, data]) mkdirSync(made)
  const server = yield* startServer(data, 0)
  const world: World = {
    dice,
    root,
    data,
    server,
    token: server.token ?? "",
    mine: new Map(),
    theirs: new Map(),
    mates: new Map(),
    acknowledged: [],
    usual: new Map(),
    tally: newTally(),
    serial: 0
  }
  yield* through(world, ["init", "--no-mcp"])
  yield* through(world, ["login", "--server", server.url, "--token", world.token, "--repo", repo, "--name", "ada"])
  yield* Effect.forEach(Array.from({ length: 6 }), (_, n) => edit(world, `mine-${n}`))
  yield* through(world, ["push", "--json"])
  return world
})

/** A command that must succeed, and soon: a lock that somebody left behind would hold it up for half a minute. */
export const through = Effect.fnUntraced(function* (world: World, args: ReadonlyArray<string>, stdin = "") {
  const ended = yield* runCtx(world.root, args, { stdin })
  const [name = ""] = args
  yield* check(() => keep(`'ctx ${args.join(" ")}' works at once after a kill`, ended.code === 0, ended))
  yield* check(() => keep("no lock outlives its holder", ended.milliseconds < 25_000, ended.milliseconds))
  world.usual.set(name, ended.milliseconds)
  return ended
})

/**
 * A command that is killed at a moment of the die: somewhere in its life, or within a `share` of it after it began to
 * change something in the folder `watch`.
 */
export const victim = Effect.fnUntraced(function* (
  world: World,
  args: ReadonlyArray<string>,
  options: { readonly stdin?: string; readonly watch: string; readonly named?: boolean; readonly share: number }
) {
  const { dice, root, tally, usual } = world
  const [name = ""] = args
  const life = usual.get(name) ?? 600
  const moment: Moment = dice.chance(0.2)
    ? { after: life * (0.3 + 0.8 * dice.real()) }
    : {
        watch: join(root, ".contexo", options.watch),
        named: options.named ?? false,
        after: options.share * life * dice.real(),
        latest: life * 3
      }
  const ended = yield* runCtx(root, args, { ...options, moment })
  if (ended.killed) tally.kills++
  else tally.missed++
  return ended
})

/** A text that was never before, of a size that may be torn. */
export const newBody = (world: World): string => {
  const { dice } = world
  const serial = `serial-${world.serial++}`
  const size = dice.pick([200, 200, 2_000, 2_000, 60_000])
  const line = `${serial} ${"x".repeat(40)}\n`
  return `## Decision\n\n${line.repeat(Math.max(1, Math.floor((size * (0.5 + dice.real())) / line.length)))}\nend of ${serial}`
}

export const pageText = (slug: string, body: string, author = "ada"): string =>
  [
    "---",
    "schema: ctx.page.v1",
    `slug: ${slug}`,
    "type: concept",
    `author: ${author}`,
    "created: 2026-11-30T10:00:00Z",
    "updated: 2026-11-30T10:00:00Z",
    'parent_sha: ""',
    "---",
    "",
    body,
    ""
  ].join("\n")

/** An editor saves a page that is written here. */
export const edit = (world: World, slug: string): Effect.Effect<void, Broken> =>
  check(() => {
    const body = newBody(world)
    const target = join(world.root, ".contexo", pathOf(slug))
    writeFileSync(`${target}~`, pageText(slug, body))
    renameSync(`${target}~`, target)
    world.mine.set(slug, body)
  })

/** A write whose fate shows on disk. */
export interface Attempt {
  readonly slug: string
  readonly body: string
  readonly acknowledged: boolean
}

/** Every page on disk is whole, an acknowledged write is there, and another one is there or not. */
export const checkDisk = (world: World, attempts: ReadonlyArray<Attempt> = []): Effect.Effect<void, Broken> =>
  check(() => {
    const { mine, root, tally, theirs } = world
    recordedOn(root)
    for (const { acknowledged, body, slug } of attempts) {
      const there = slugsOn(root).includes(slug)
      const before = mine.get(slug)
      keep("an acknowledged write is on disk", there || !acknowledged, slug)
      if (!there) keep("a page that was there stays", before === undefined, slug)
      if (!there) continue
      const now = bodyOf(root, slug)
      keep("a write leaves the old or the new page", now === body || (!acknowledged && now === before), {
        slug,
        acknowledged,
        now: now.slice(0, 200),
        length: now.length
      })
      if (now === body && !acknowledged) tally.halfway++
      if (acknowledged) tally.acknowledged++
      mine.set(slug, now)
    }
    for (const [slug, body] of mine) keep("what is written here stays", bodyOf(root, slug) === body, slug)
    for (const [slug, text] of theirs) keep("what was pulled stays", textOf(root, slug) === text, slug)
    const known = new Set([...mine.keys(), ...theirs.keys()])
    const strange = slugsOn(root).filter((slug) => !known.has(slug))
    keep("no page comes from nowhere", strange.length === 0, strange)
  })

/** The indexes, after a command that regenerates them. */
export const checkIndex = (world: World): Effect.Effect<void, Broken> =>
  check(() => {
    const [listed, there] = [indexedOn(world.root).toSorted(), slugsOn(world.root).toSorted()]
    keep("the index lists every page once", JSON.stringify(listed) === JSON.stringify(there), { listed, there })
  })

/** The server's database is whole, holds every acknowledged push once, and nothing twice. */
export const checkServer = (world: World, deep: boolean): Effect.Effect<ServerBooks, Broken> =>
  check(() => {
    const books = readBooks(join(world.data, "server.db"), world.acknowledged, deep)
    keep("the server's database is sound", books.faults.length === 0, books.faults)
    keep("an acknowledged push is on the server, whole", books.missing.length === 0, books.missing)
    keep("no push lands twice", books.twice.length === 0, books.twice)
    world.tally.acknowledged += world.acknowledged.length
    world.acknowledged = []
    return books
  })

/** Notes what a `push --json` said to have landed; the files were not touched since it began. */
export const heardPush = (world: World, ended: Ended): Effect.Effect<void, Broken> =>
  check(() => {
    if (ended.killed && !ended.stdout.endsWith("}\n")) return
    const answer = JSON.parse(ended.stdout)
    if ("error" in answer)
      return keep("a push fails only for want of a server", answer.error.kind === "ServerUnreachable", answer)
    keep(
      "a push never conflicts with itself",
      ["pushed", "nothing"].includes(answer.outcome),
      ended.stdout.slice(0, 4_000)
    )
    for (const { path, sha } of answer.pushed) {
      const slug = path.slice(path.lastIndexOf("/") + 1, -".md".length)
      world.acknowledged.push({ path, sha, text: textOf(world.root, slug) })
    }
  })

/** Pushes and pulls until both sides hold the same, which one of each must do. */
export const settle = Effect.fnUntraced(function* (world: World, deep: boolean) {
  yield* heardPush(world, yield* through(world, ["push", "--json"]))
  const books = yield* checkServer(world, deep)
  yield* check(() => {
    const recorded = recordedOn(world.root)
    for (const slug of world.mine.keys()) {
      const head = books.head.get(pathOf(slug))
      keep("after a push the server has what is here", head?.text === textOf(world.root, slug), slug)
      keep("after a push the clone knows the server's sha", recorded[pathOf(slug)] === head?.sha, slug)
    }
  })
})

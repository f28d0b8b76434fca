import { existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { FileSystem } from "@effect/platform"
import { ConfigProvider, Effect, Logger, Random, Schema } from "effect"
import { SyncClient } from "../../src/services/sync/SyncClient.ts"
import { make as makeClock } from "../support/faults/FaultyClock.ts"
import type { Ended } from "./acts.ts"
import { type Clone, makeClone, openProcess, pagesOn, type Process, rootOf } from "./Clone.ts"
import { dice as makeDice } from "./dice.ts"
import { historyOf } from "./History.ts"
import { awaiting, localFaults } from "./inspect.ts"
import { makeLedger } from "./Ledger.ts"
import { befell, drawMisfortune } from "./misfortune.ts"
import { serverOver } from "./Server.ts"
import { settle } from "./settle.ts"
import { drawMeanwhile, type Drawing, drawStep, type Step } from "./steps.ts"

export interface Simulation {
  readonly seed: number
  readonly steps: number
  /** Says every step as it is taken. */
  readonly verbose?: boolean
}

/** What a simulation went through. */
export interface Report {
  readonly clones: number
  readonly versions: number
  readonly killed: number
  readonly troubled: number
  readonly merges: number
  readonly rounds: number
  /** Equal for equal seeds: the log of all steps. */
  readonly log: ReadonlyArray<string>
}

/** Something that must never happen, and how to see it again. */
export class Violation extends Schema.TaggedError<Violation>()("Violation", {
  seed: Schema.Int,
  steps: Schema.Int,
  wrong: Schema.Array(Schema.String),
  log: Schema.Array(Schema.String)
}) {
  override get message() {
    return [
      `CTX_SIM_SEED=${this.seed} CTX_SIM_STEPS=${this.steps} npx vitest run test/simulator replays this:`,
      ...this.wrong,
      "after:",
      ...this.log.slice(-40)
    ].join("\n")
  }
}

const names = ["ada", "ben", "cleo", "dan"] as const

/** Somebody cleans up. What awaits a merge is known there only. */
const loseBases = (clone: Clone): string => {
  if (awaiting(clone).size > 0) return `${clone.name}: bases.db stays`
  for (const name of ["bases.db", "bases.db-journal"]) rmSync(join(clone.contexo, ".sync", name), { force: true })
  return `${clone.name}: bases.db is removed`
}

/** Nobody pulls the plug here: where there is a disk in memory, there is no need to wait for a real one. */
const inMemory = existsSync("/dev/shm") ? { directory: "/dev/shm" } : {}

/** Before any real file's time, so that no stamp of a file is ever trusted more than on a real machine. */
const start = Date.UTC(2020, 0, 1)

/**
 * Plays users on real folders and a real server over real SQLite, with every misfortune that the seed draws, and checks
 * after each step that nothing is lost and nothing is forged; at the end, that all agree.
 */
export const simulate = Effect.fn("simulate")(function* ({ seed, steps, verbose = false }: Simulation) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped({ prefix: "ctx-sim-", ...inMemory }))
  mkdirSync(join(folder, "server"))
  const database = join(folder, "server", "server.db")
  const dice = makeDice(`choices ${seed}`)
  const clock = makeClock(start)
  const turn = yield* Effect.makeSemaphore(1)
  // One call of the outside at a time: what comes first is then the seed's choice alone.
  const activity = { during: <A, E, R>(effect: Effect.Effect<A, E, R>) => clock.during(turn.withPermits(1)(effect)) }
  const log: Array<string> = []
  const counted = { killed: 0, troubled: 0, merges: 0 }

  const played = Effect.gen(function* () {
    const server = yield* serverOver(database)
    const world = { server, activity }
    const history = historyOf(database)
    yield* Effect.addFinalizer(() => Effect.sync(history.close))
    const ledger = makeLedger()
    const newest = new Map<string, number>()
    const clones: Array<Clone> = []
    for (const name of names.slice(0, dice.int(2, 5))) clones.push(yield* makeClone(join(folder, name), name, world))
    yield* Effect.addFinalizer(() => Effect.forEach(clones, ({ process }) => process.end))

    const [first = yield* Effect.dieMessage("no clones")] = clones
    yield* first.process.as(Effect.flatMap(SyncClient, (client) => client.createRepo("sim")))

    let markers = 0
    const drawing = (clone: Clone, process: Process): Drawing => ({
      clone,
      process,
      ledger,
      history,
      dice,
      marker: () => `mk${++markers}x`
    })
    const say = (text: string) => {
      const line = text.replaceAll(folder, "")
      log.push(line)
      return verbose ? Effect.logInfo(line) : Effect.void
    }
    const wrong = (why: ReadonlyArray<string>) =>
      why.length === 0 ? Effect.void : new Violation({ seed, steps, wrong: why, log: [...log] })
    const acted = new Set(clones)
    const check = Effect.suspend(() => {
      const looked = [...acted]
      acted.clear()
      return wrong([
        ...ledger.check(
          history,
          looked.map((clone) => ({ clone, pages: pagesOn(clone) }))
        ),
        ...looked.flatMap((clone) => localFaults(clone, history, newest))
      ])
    })
    const excused = new Set(["ChangedSinceRead"])

    /** Takes a step. Only trouble, or another's hand, excuses a failure; nothing excuses a defect. */
    const take = Effect.fnUntraced(function* (clone: Clone, process: Process, step: Step, troubled: () => boolean) {
      acted.add(clone)
      const end: Ended = yield* step.run
      yield* say(`${clone.name}: ${step.name}: ${end.word}`)
      if (end.word === "killed") counted.killed++
      if (end.word === "MergeRequired") counted.merges++
      if (end.defect !== undefined) return yield* wrong([end.defect])
      if (end.failure !== undefined && !troubled() && !excused.has(end.failure)) {
        return yield* wrong([`${clone.name}: ${step.name} failed with ${end.failure}, though nothing was in its way`])
      }
      if (end.word === "killed" && clone.process === process) clone.process = yield* openProcess(rootOf(clone), world)
    })

    /** Another user, or a second process of the same one, acts while a request is on its way. */
    const meanwhile = (busy: Clone) =>
      Effect.gen(function* () {
        const clone = dice.pick([busy, ...clones])
        const same = clone === busy
        const process = same ? yield* openProcess(rootOf(clone), world) : clone.process
        yield* say(`  meanwhile${same ? ", in another process" : ""}:`)
        yield* take(clone, process, drawMeanwhile(drawing(clone, process)), () => false).pipe(
          Effect.catchAll((violation) => Effect.sync(() => void late.push(violation)))
        )
        if (same) yield* process.end
      })
    const late: Array<Violation> = []

    for (let n = 1; n <= steps; n++) {
      const clone = dice.pick([first, ...clones.slice(1)])
      const { process } = clone
      const odd = dice.int(0, 100)
      clock.jump(1_000)
      if (odd < 4) clock.jump(dice.pick([-1, 1]) * dice.pick([90_000, 7 * 3_600_000, 30 * 86_400_000]))
      if (odd === 4) yield* server.restart
      if (odd === 6) yield* say(loseBases(clone))
      if (odd === 5) {
        yield* process.end
        clone.process = yield* openProcess(rootOf(clone), world)
      }
      const step = drawStep(drawing(clone, clone.process))
      const target = { process: clone.process, server, clock, dice, meanwhile: () => meanwhile(clone) }
      const since = { files: target.process.files.calls.length, http: target.process.http.calls.length }
      const trouble = drawMisfortune(target)
      yield* say(`${n}. ${trouble === undefined ? "" : `(${trouble})`}`)
      if (trouble !== undefined) counted.troubled++
      yield* take(
        clone,
        target.process,
        step,
        () => befell(target, since) || trouble?.startsWith("the server") === true
      )
      target.process.files.calm()
      target.process.http.calm()
      server.dieAt(undefined)
      if (late[0] !== undefined) return yield* late[0]
      yield* check
    }
    yield* say("quiet now")
    const { rounds, wrong: unsettled } = yield* settle({
      clones,
      drawing: (clone) => drawing(clone, clone.process),
      history,
      say
    })
    for (const clone of clones) acted.add(clone)
    yield* check
    yield* wrong(unsettled)
    return { clones: clones.length, versions: history.versions.length, ...counted, rounds, log } satisfies Report
  })
  return yield* played.pipe(
    Effect.withClock(clock.clock),
    Effect.withRandom(Random.make(`operations ${seed}`)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map())),
    Effect.provide(verbose ? Logger.pretty : Logger.remove(Logger.defaultLogger))
  )
}, Effect.scoped)

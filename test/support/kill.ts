import { Effect } from "effect"
import { join } from "node:path"
import { checkData } from "../../src/effects/server/check.ts"
import { Broken, keep } from "./kill/books.ts"
import { type Dice, dice } from "./kill/dice.ts"
import { type Kind, rounds } from "./kill/rounds.ts"
import { check, checkServer, newTally, newWorld, type Tally } from "./kill/world.ts"

export interface KillLoop {
  /** How many rounds of each kind; they are shuffled. */
  readonly rounds: Readonly<Record<Kind, number>>
  /** Chooses what happens in which order, what is written, and when is killed. */
  readonly seed: number
  /** Where the worlds are made; not removed. */
  readonly folder: string
  /** So many worlds at a time, each with its share of the rounds. */
  readonly worlds: number
  /** Told of every finished round. */
  readonly heard?: (kind: Kind, tally: Tally) => void
}

export type { Kind, Tally }

export const kinds: ReadonlyArray<Kind> = ["write", "mcp", "push", "pull", "serve"]

/**
 * Kills real processes with SIGKILL, again and again, and looks after each kill whether every promise was kept: pages are
 * whole and none is lost, `state.json` parses, the next command works at once, an acknowledged push is on the server
 * once, another one once or not at all, and the server's database is sound.
 *
 * Fails with `Broken`, which names the promise, the seed and the round.
 */
export const killLoop = Effect.fnUntraced(function* (loop: KillLoop) {
  const all = kinds.flatMap((kind) => Array.from({ length: loop.rounds[kind] }, () => kind))
  const order = dice(loop.seed).shuffled(all)
  const tallies: Record<Kind, Tally> = {
    write: newTally(),
    mcp: newTally(),
    push: newTally(),
    pull: newTally(),
    serve: newTally()
  }
  yield* Effect.forEach(
    Array.from({ length: loop.worlds }),
    (_, n) =>
      oneWorld(
        loop,
        dice(loop.seed * 31 + n + 1),
        order.filter((_, at) => at % loop.worlds === n),
        tallies
      ),
    { concurrency: "unbounded", discard: true }
  )
  return tallies
})

const oneWorld = Effect.fnUntraced(function* (
  loop: KillLoop,
  own: Dice,
  order: ReadonlyArray<Kind>,
  tallies: Readonly<Record<Kind, Tally>>
) {
  const world = yield* Effect.acquireRelease(newWorld(loop.folder, own), ({ server }) => server.kill)
  for (const [at, kind] of order.entries()) {
    world.tally = tallies[kind]
    yield* Effect.scoped(rounds[kind](world)).pipe(
      Effect.mapError(
        ({ detail, promise }) =>
          new Broken({ promise: `${promise} (seed ${loop.seed}, round ${at + 1}: ${kind}, in ${world.root})`, detail })
      )
    )
    world.tally.rounds++
    loop.heard?.(kind, world.tally)
  }
  yield* checkServer(world, true)
  const { faults } = yield* Effect.orDie(checkData(join(world.data, "server.db")))
  yield* check(() => keep("every id on the server is the one that git would give", faults.length === 0, faults))
})

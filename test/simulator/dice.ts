import { Effect, Random } from "effect"

/** Seeded choices: the same seed, asked in the same order, chooses the same. */
export interface Dice {
  /** From `low` up to, and without, `high`. */
  readonly int: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** One of these, as often as its weight says. */
  readonly weighted: <A>(from: readonly [readonly [number, A], ...ReadonlyArray<readonly [number, A]>]) => A
}

export const dice = (seed: number | string): Dice => {
  const random = Random.make(seed)
  const int: Dice["int"] = (low, high) => Effect.runSync(random.nextIntBetween(low, high))
  return {
    int,
    chance: (probability) => Effect.runSync(random.next) < probability,
    pick: (from) => from[int(0, from.length)] ?? from[0],
    weighted: (from) => {
      let left = int(
        0,
        from.reduce((sum, [weight]) => sum + weight, 0)
      )
      for (const [weight, one] of from) {
        if (left < weight) return one
        left -= weight
      }
      return from[0][1]
    }
  }
}

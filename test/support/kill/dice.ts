/** A seeded die: the same seed throws the same numbers. */
export interface Dice {
  /** In [0, 1). */
  readonly real: () => number
  /** A whole number in [from, to). */
  readonly int: (from: number, to: number) => number
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  /** True with the given probability. */
  readonly chance: (probability: number) => boolean
  readonly shuffled: <A>(list: ReadonlyArray<A>) => ReadonlyArray<A>
}

/** Mulberry32: thirty-two bits of state are plenty for choosing moments. */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const real = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (from: number, to: number) => from + Math.floor(real() * (to - from))
  return {
    real,
    int,
    pick: (from) => from[int(0, from.length)] ?? from[0],
    chance: (probability) => real() < probability,
    shuffled: (list) =>
      list
        .map((item) => ({ item, at: real() }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ item }) => item)
  }
}

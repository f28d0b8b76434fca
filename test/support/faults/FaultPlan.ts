import { Effect, Random } from "effect"

/** One call that could be told to fail: what it does (`rename`, `POST`), and to what (a path, a URL). */
export interface Call {
  readonly operation: string
  readonly target: string
}

/** What a plan may do from here on: a chance for each call, and the faults to draw from. */
export interface Rates<F> {
  /** 0 to 1, for each call. */
  readonly rate: number
  readonly faults: ReadonlyArray<F>
}

/** Decides call by call whether a layer passes it or does something to it. */
export interface FaultPlan<F> {
  /** Does this to the next `n` calls. */
  readonly failNext: (n: number, fault: F) => void
  /** Does this to the `k`-th call from now (1: the next one). */
  readonly failAt: (k: number, fault: F) => void
  /** Does this to every call that is like this, until `calm`. */
  readonly failWhere: (matches: (call: Call) => boolean, fault: F) => void
  /** Does this to the `k`-th call after the first one that is like this (0: to that one itself). */
  readonly failAfter: (matches: (call: Call) => boolean, k: number, fault: F) => void
  /** Draws faults from now on; the same seed draws the same. */
  readonly plan: (seed: number | string, rates: Rates<F>) => void
  /** No faults any more. */
  readonly calm: () => void
  /** Every call so far, in order, with what was done to it. */
  readonly calls: ReadonlyArray<Call & { readonly fault: F | undefined }>
  /** For the layer: notes a call, and says what to do to it. */
  readonly next: (call: Call) => F | undefined
}

export const make = <F>(): FaultPlan<F> => {
  const calls: Array<Call & { readonly fault: F | undefined }> = []
  /** By the number of the call. */
  const due = new Map<number, F>()
  const rules: Array<{ readonly matches: (call: Call) => boolean; readonly fault: F }> = []
  let awaited: { readonly matches: (call: Call) => boolean; readonly k: number; readonly fault: F } | undefined
  let draw: () => F | undefined = () => undefined
  return {
    failNext: (n, fault) => {
      for (let k = 1; k <= n; k++) due.set(calls.length + k, fault)
    },
    failAt: (k, fault) => void due.set(calls.length + k, fault),
    failWhere: (matches, fault) => void rules.push({ matches, fault }),
    failAfter: (matches, k, fault) => {
      awaited = { matches, k, fault }
    },
    plan: (seed, rates) => {
      draw = drawing(Random.make(seed), rates)
    },
    calm: () => {
      due.clear()
      rules.length = 0
      awaited = undefined
      draw = () => undefined
    },
    calls,
    next: (call) => {
      const drawn = draw()
      if (awaited?.matches(call) === true) {
        due.set(calls.length + 1 + awaited.k, awaited.fault)
        awaited = undefined
      }
      const fault = due.get(calls.length + 1) ?? rules.find(({ matches }) => matches(call))?.fault ?? drawn
      calls.push({ ...call, fault })
      return fault
    }
  }
}

const drawing =
  <F>(random: Random.Random, { faults, rate }: Rates<F>) =>
  (): F | undefined => {
    const chance = Effect.runSync(random.next)
    const which = Effect.runSync(random.nextIntBetween(0, Math.max(1, faults.length)))
    return chance < rate ? faults[which] : undefined
  }

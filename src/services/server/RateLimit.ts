import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import { type Allowance, type Bucket, fillTime, filled, fullBucket, waitOf } from "../../model/sync/TokenBucket.ts"

/** Who sends a request, as far as anybody knows before the token is looked up. */
export interface Caller {
  /** Of the connection; an IPv6 address by its network. */
  readonly address: string
  /** SHA-256 of the token that came along, valid or not. */
  readonly token: Option.Option<string>
}

export interface RateLimits {
  /** For every token, and for every address whose requests carry none that is known. */
  readonly requests: Allowance
  /** For every address: requests with a token that is none. */
  readonly failures: Allowance
}

/** Keeps one caller from taking everything. Provide another to limit by other rules, or over several servers. */
export class RateLimit extends Context.Tag("ctx-mcp/RateLimit")<
  RateLimit,
  {
    /** Counts a request, before anything is looked up for it. Some: it is not to be carried out, try again after so long. */
    readonly admit: (caller: Caller) => Effect.Effect<Option.Option<Duration.Duration>>
    /** Says what became of the caller's token. */
    readonly authenticated: (caller: Caller, valid: boolean) => Effect.Effect<void>
    /** How many callers are remembered. */
    readonly remembered: Effect.Effect<number>
  }
>() {
  /** Limits nothing and remembers nobody. */
  static readonly none: Layer.Layer<RateLimit> = Layer.succeed(RateLimit, {
    admit: () => Effect.succeedNone,
    authenticated: () => Effect.void,
    remembered: Effect.succeed(0)
  })

  /**
   * Token buckets in memory.
   *
   * A token that was valid has a bucket of its own, so that nobody behind the same address or proxy can use it up. Other
   * requests share the bucket of their address; once an address sent too many wrong tokens, its unknown ones are not
   * looked up any more until its allowance for failures has grown again.
   */
  static readonly layer = ({ failures, requests }: RateLimits): Layer.Layer<RateLimit> =>
    Layer.sync(RateLimit, () => {
      const tokens = buckets(requests)
      const addresses = buckets(requests)
      const failed = buckets(failures)

      const admit = ({ address, token }: Caller, now: number): number => {
        if (Option.isSome(token)) {
          if (tokens.has(token.value)) return tokens.take(token.value, now)
          const wait = failed.wait(address, now)
          if (wait > 0) return wait
        }
        return addresses.take(address, now)
      }

      return {
        admit: (caller) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const wait = admit(caller, now)
            return wait > 0 ? Option.some(Duration.millis(wait)) : Option.none()
          }),
        authenticated: ({ address, token }, valid) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (Option.isNone(token)) return
            if (valid) return tokens.remember(token.value, now)
            tokens.forget(token.value)
            failed.take(address, now)
          }),
        remembered: Effect.sync(() => tokens.size() + addresses.size() + failed.size())
      }
    })
}

/** However many callers there are, no more than so many are remembered of each kind: some megabytes. */
const most = 20_000

/** A bucket that nobody touched for so long is forgotten. */
const idle = Duration.toMillis("10 minutes")

/** Buckets by name. The one touched last is the last of the map, so that the idle ones are found at its beginning. */
const buckets = (allowance: Allowance) => {
  const held = new Map<string, Bucket>()
  const keep = Math.max(idle, fillTime(allowance))

  const current = (name: string, now: number): Bucket => {
    const bucket = held.get(name)
    return bucket === undefined ? fullBucket(allowance, now) : filled(bucket, allowance, now)
  }
  const put = (name: string, bucket: Bucket): void => {
    held.delete(name)
    held.set(name, bucket)
    for (const [oldest, { at }] of held) {
      if (held.size <= most && bucket.at - at <= keep) break
      held.delete(oldest)
    }
  }
  return {
    has: (name: string): boolean => held.has(name),
    size: (): number => held.size,
    forget: (name: string): boolean => held.delete(name),
    wait: (name: string, now: number): number => waitOf(current(name, now), allowance),
    remember: (name: string, now: number): void => {
      if (!held.has(name)) put(name, fullBucket(allowance, now))
    },
    /** Takes one where there is one. Returns the milliseconds to wait where there is none. */
    take: (name: string, now: number): number => {
      const bucket = current(name, now)
      const wait = waitOf(bucket, allowance)
      put(name, wait > 0 ? bucket : { left: bucket.left - 1, at: now })
      return wait
    }
  }
}

/** How often something may happen. */
export interface Allowance {
  /** Times a minute, above 0. */
  readonly perMinute: number
  /** Times at once, at least 1. */
  readonly burst: number
}

/** What is left of an allowance at a moment, in milliseconds of any clock. */
export interface Bucket {
  readonly left: number
  readonly at: number
}

/** A bucket that nothing was taken from. */
export const fullBucket = ({ burst }: Allowance, now: number): Bucket => ({ left: burst, at: now })

/** The same bucket now. A clock that went back fills nothing, and does not stop later filling. */
export const filled = ({ at, left }: Bucket, { burst, perMinute }: Allowance, now: number): Bucket => ({
  left: Math.min(burst, left + (Math.max(0, now - at) * perMinute) / 60_000),
  at: now
})

/** Milliseconds until one can be taken; 0: now. */
export const waitOf = ({ left }: Bucket, { perMinute }: Allowance): number =>
  left >= 1 ? 0 : ((1 - left) * 60_000) / perMinute

/** Milliseconds in which an empty bucket fills up. */
export const fillTime = ({ burst, perMinute }: Allowance): number => (burst * 60_000) / perMinute

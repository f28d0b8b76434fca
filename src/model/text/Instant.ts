import { Option } from "effect"

const shape =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d{0,30}))?(?:[ \t]*(?:Z|z|([+-])(\d\d?)(?::?(\d\d))?))?)?$/

/**
 * The point in time that a time stamp names, in nanoseconds since 1970 (page files carry nanoseconds). RFC 3339, and what
 * else YAML calls a timestamp: a day alone, a blank for the `T`, no zone (UTC). None for any other text.
 *
 * @example instantOf("2026-07-05T09:00:00.5Z") and instantOf("2026-07-05T11:00:00.500+02:00") are equal.
 */
export const instantOf = (text: string): Option.Option<bigint> => {
  const match = shape.exec(text)
  if (match === null) return Option.none()
  const [, year, month, day, hour = "0", minute = "0", second = "0", fraction = "", sign, zoneHour, zoneMinute] = match
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second)
  )
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * (sign === "-" ? -1 : 1)
  if (
    !isDay(milliseconds, Number(month), Number(day)) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59
  ) {
    return Option.none()
  }
  const nanoseconds = BigInt(fraction.slice(0, 9).padEnd(9, "0"))
  return Option.some(BigInt(milliseconds - zone * 60_000) * 1_000_000n + nanoseconds)
}

/** Whether the day did not overflow into another month, as 31 June does. */
const isDay = (milliseconds: number, month: number, day: number) => {
  const date = new Date(milliseconds)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Whether two texts are time stamps of the same instant. */
export const sameInstant = (left: string, right: string): boolean => {
  const instant = instantOf(left)
  return Option.isSome(instant) && Option.contains(instantOf(right), instant.value)
}

/**
 * The point in time that an HTTP header names (`Date`, `Retry-After`), in milliseconds since 1970. None for any text but
 * the one form that servers send.
 *
 * @example httpDate("Sun, 06 Nov 1994 08:49:37 GMT")
 */
export const httpDate = (text: string): Option.Option<number> =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Option.filter(Option.some(Date.parse(text)), Number.isFinite)
    : Option.none()

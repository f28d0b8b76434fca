import { Option } from "effect"

/** How far back a lookup goes; `any` has no bound. */
export interface Since {
  /** As it is said, and as a person says it again. */
  readonly text: string
  /** Milliseconds; undefined for `any`. */
  readonly milliseconds: number | undefined
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

export const pastHour: Since = { text: "1h", milliseconds: 3_600_000 }
export const anyTime: Since = { text: "any", milliseconds: undefined }

/**
 * Reads a duration: `30m`, `24h`, `7d`, `90s`, `2w`, or `any`.
 *
 * Source: context-paging.md, "Scripts".
 */
export const parseSince = (text: string): Option.Option<Since> => {
  const said = text.trim().toLowerCase()
  if (said === "any" || said === "all") return Option.some(anyTime)
  const [, amount, unit] = /^(\d{1,6})\s*([smhdw])[a-z]*$/.exec(said) ?? []
  const seconds = units[unit ?? ""]
  if (amount === undefined || seconds === undefined) return Option.none()
  return Option.some({ text: `${Number(amount)}${unit}`, milliseconds: Number(amount) * seconds * 1_000 })
}

import { Clock, Effect, Option } from "effect"
import { isMessageRole, isPageKind, type MessageRole, type PageKind } from "../../model/paging/Role.ts"
import { parseSince, pastHour, type Since } from "../../model/paging/Since.ts"
import { InvalidId, InvalidKind, InvalidName, InvalidRole, InvalidSince } from "./errors.ts"

/** A number as a person writes it: `12`, `m12`, `p12`. */
export const parseId = (text: string, letter: "m" | "p"): Effect.Effect<number, InvalidId> => {
  const [, digits] = new RegExp(`^\\s*${letter}?(\\d{1,15})\\s*$`, "i").exec(text) ?? []
  return digits === undefined ? new InvalidId({ id: text }) : Effect.succeed(Number(digits))
}

/** What `--role` asks for; both empty: everything. */
export interface Roles {
  readonly roles: ReadonlyArray<MessageRole>
  readonly kinds: ReadonlyArray<PageKind>
}

/** Roles parted by commas, and kinds of pages where those are looked through too. */
export const parseRoles = (text: string | undefined, withKinds: boolean): Effect.Effect<Roles, InvalidRole> =>
  Effect.gen(function* () {
    const names = (text ?? "")
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== "" && name !== "any")
    const wrong = names.find((name) => !isMessageRole(name) && !(withKinds && isPageKind(name)))
    if (wrong !== undefined) return yield* new InvalidRole({ role: wrong, kinds: withKinds })
    return { roles: names.filter(isMessageRole), kinds: names.filter(isPageKind) }
  })

export const parseKind = (text: string): Effect.Effect<PageKind, InvalidKind> =>
  isPageKind(text) ? Effect.succeed(text) : new InvalidKind({ kind: text })

/** A span of time that ends now. */
export interface Window {
  readonly since: Since
  /** Milliseconds since 1970; 0 without a bound. */
  readonly from: number
}

/** The window of a lookup: the past hour, unless told. */
export const windowOf = (text: string | undefined): Effect.Effect<Window, InvalidSince> =>
  Effect.gen(function* () {
    const since = text === undefined || text === "" ? Option.some(pastHour) : parseSince(text)
    if (Option.isNone(since)) return yield* new InvalidSince({ since: text ?? "" })
    return yield* windowFrom(since.value)
  })

export const windowFrom = (since: Since): Effect.Effect<Window> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    since,
    from: since.milliseconds === undefined ? 0 : Math.max(0, now - since.milliseconds)
  }))

/** One line of 1 to 200 characters, trimmed. */
export const parseName = (what: InvalidName["what"], text: string): Effect.Effect<string, InvalidName> => {
  const name = text.trim()
  return name === "" || name.length > 200 || /[\r\n\0]/.test(name) || !name.isWellFormed()
    ? new InvalidName({ what, name: text })
    : Effect.succeed(name)
}

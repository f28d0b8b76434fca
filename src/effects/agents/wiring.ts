import { Effect, Either, Option } from "effect"
import {
  hostIds,
  type Host,
  type HostId,
  hosts,
  type Located,
  locateParts,
  type Part
} from "../../services/agents/Hosts.ts"
import type { Change } from "../../services/agents/Change.ts"
import type { Found } from "../../services/agents/Edit.ts"
import { carryOut, planAt, takeOutAt } from "../../services/agents/FilePlan.ts"
import { pagingHooks } from "../../services/agents/PagingHooks.ts"
import { isOnPath } from "../../services/agents/AgentDetection.ts"
import { CorruptFile } from "../../services/files/FileFailure.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import { subscribed } from "../paging/subscription.ts"

export type { HostId, Part } from "../../services/agents/Hosts.ts"
export { hostIds }

export interface WiringOptions {
  /** These agents, or every one that somebody uses here. Claude Code always counts as used. */
  readonly tools: ReadonlyArray<HostId> | "all"
  readonly parts: ReadonlyArray<Part>
  /** Whether files in the home folder, which all projects share, may be edited: ask the person first. */
  readonly home: boolean
}

/**
 * What came of one file. `asks`: it lies in the home folder, would be edited, and nobody agreed yet. `failed`: it was left
 * as it is, and why.
 */
export type Outcome =
  | { readonly _tag: "Done"; readonly change: Change | "removed" | "absent" }
  | { readonly _tag: "Asks" }
  | { readonly _tag: "Failed"; readonly reason: string }

export interface PartReport {
  readonly host: HostId
  readonly agent: string
  readonly part: Part
  readonly scope: "project" | "home"
  /** Relative to the project, or absolute. */
  readonly file: string
  readonly outcome: Outcome
}

/** The agents that a command means. */
export const wantedHosts = (tools: ReadonlyArray<HostId> | "all") =>
  Effect.gen(function* () {
    const { root } = yield* Project
    return tools === "all"
      ? yield* Effect.filter(hosts, (host) => host.detect(root))
      : hosts.filter(({ id }) => tools.includes(id))
  })

/**
 * Puts our MCP server, or our hooks, into the agents' settings. Files of the project are edited without a question, files
 * in the home folder only where somebody agreed. What stands there already stays as it is.
 *
 * Errors: a file that cannot be edited is a `Failed` report, and the others go on; only the lock is an error.
 *
 * @example
 * const reports = yield* wireAgents({ tools: ["claude"], parts: ["hooks"], home: false })
 *
 * Source: reference.md 5.3, 5.4, design.md section 4.
 */
export const wireAgents = Effect.fn("wireAgents")(function* (options: WiringOptions) {
  return yield* eachPart(options, wirePart)
})

/** Takes them out again; the files are what they were, as far as nobody else changed them. Errors as for `wireAgents`. */
export const unwireAgents = Effect.fn("unwireAgents")(function* (options: WiringOptions) {
  return yield* eachPart({ ...options, tools: options.tools === "all" ? hostIds : options.tools }, unwirePart)
})

/** Wires one part. Call under the project lock. */
export const wirePart = (located: Located) =>
  Effect.gen(function* () {
    const { contexo } = yield* Project
    const plan = yield* planAt(located.place, located.edit.wire)
    yield* carryOut(contexo, located.part, plan)
    return plan.change
  })

/** Takes one part out. Call under the project lock. */
export const unwirePart = (located: Located) =>
  Effect.gen(function* () {
    const { contexo } = yield* Project
    const edits = new Map(
      hosts
        .filter(({ id }) => id === located.host.id)
        .flatMap(({ targets }) => targets)
        .map(({ edit, part }) => [part, edit] as const)
    ).set(located.part, located.edit)
    const found = yield* takeOutAt(contexo, located.place, located.part, edits)
    if (found && located.part === "hooks") yield* keepPaging(located)
    return found ? ("removed" as const) : ("absent" as const)
  })

/** The same command records conversations for context paging: where the project is subscribed, that goes on. */
const keepPaging = (located: Located) =>
  Effect.gen(function* () {
    const { contexo } = yield* Project
    const edit = pagingHooks[located.host.id]
    if (edit === undefined || !(yield* subscribed()).subscribed) return
    yield* carryOut(contexo, "paging", yield* planAt(located.place, edit.wire))
  })

const eachPart = <E extends { readonly message: string }, R>(
  { home, parts, tools }: WiringOptions,
  step: (located: Located) => Effect.Effect<Change | "removed" | "absent", E, R>
) =>
  Effect.gen(function* () {
    const { root } = yield* Project
    const all = yield* Effect.forEach(yield* wantedHosts(tools), (host) => locateParts(host, root, parts))
    return yield* (yield* ProjectLock).run(
      Effect.forEach(all.flat(), (located) =>
        Effect.gen(function* () {
          if (located.scope === "home" && !home) return yield* wouldEdit(located, step)
          const change = yield* Effect.either(step(located))
          return report(
            located,
            Either.match(change, {
              onLeft: ({ message }): Outcome => ({ _tag: "Failed", reason: message }),
              onRight: (done): Outcome => ({ _tag: "Done", change: done })
            })
          )
        })
      )
    )
  })

/** A file that may not be edited yet: is there anything to do in it at all? */
const wouldEdit = (located: Located, step: unknown) =>
  Effect.map(Effect.either(findPart(located)), (found) => {
    if (Either.isLeft(found)) return report(located, { _tag: "Failed", reason: found.left.message })
    if (step === unwirePart) {
      return report(located, found.right === "absent" ? { _tag: "Done", change: "absent" } : { _tag: "Asks" })
    }
    return report(located, found.right === "wired" ? { _tag: "Done", change: "present" } : { _tag: "Asks" })
  })

const report = ({ host, part, place, scope }: Located, outcome: Outcome): PartReport => ({
  host: host.id,
  agent: host.name,
  part,
  scope,
  file: place.name,
  outcome
})

/** What a file has of ours. */
export const findPart = ({ edit, place }: Located) =>
  Effect.flatMap(readTextIfThere(place.path), (text) =>
    Option.match(text, {
      onNone: () => Effect.succeed<Found>("absent"),
      onSome: (some) => Either.mapLeft(edit.find(some), (reason) => new CorruptFile({ path: place.path, reason }))
    })
  )

/** How an agent stands here. */
export interface AgentStatus {
  readonly host: Host
  readonly detected: boolean
  readonly parts: ReadonlyArray<{
    readonly part: Part
    readonly scope: "project" | "home"
    readonly file: string
    readonly path: string
    /** Left: why the file cannot be read. */
    readonly found: Either.Either<Found, string>
  }>
}

/** Which agents are used here, and what of ours their settings hold. Nothing is changed. */
export const agentStatus = Effect.fn("agentStatus")(function* () {
  const { root } = yield* Project
  return yield* Effect.forEach(hosts, (host) =>
    Effect.gen(function* () {
      const located = yield* locateParts(host, root, ["mcp", "hooks"])
      const parts = yield* Effect.forEach(located, (one) =>
        Effect.map(Effect.either(findPart(one)), (found) => ({
          part: one.part,
          scope: one.scope,
          file: one.place.name,
          path: one.place.path,
          found: Either.mapLeft(found, ({ message }) => message)
        }))
      )
      return { host, detected: yield* host.detect(root), parts } satisfies AgentStatus
    })
  )
})

/** Whether agents can run our hooks: they call `ctx-mcp` by name. */
export const hookResolves = isOnPath("ctx-mcp")

/** What to do where they cannot. */
export const hookAdvice = "The hooks run ctx-mcp, which is not on PATH here: npm i -g ctx-mcp"

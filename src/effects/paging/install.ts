import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Layer, Option, Schema } from "effect"
import { isHookAgent } from "../../model/transcripts/HookEvent.ts"
import { withIgnored, withoutSection, withSection } from "../../model/paging/OptIn.ts"
import { carryOut, planAt, takeOutAt } from "../../services/agents/FilePlan.ts"
import { type HostId, hosts, locateParts, type Located } from "../../services/agents/Hosts.ts"
import { pagingHooks } from "../../services/agents/PagingHooks.ts"
import { writeAtomically } from "../../services/files/AtomicFile.ts"
import { fileFailure } from "../../services/files/Errno.ts"
import { readTextIfThere, statIfThere } from "../../services/files/Files.ts"
import { readJsonFile } from "../../services/files/JsonFile.ts"
import { PagingPlace } from "../../services/paging/PagingPlace.ts"
import { Registry } from "../../services/paging/Registry.ts"
import { captureRoundTrip } from "../../services/paging/RoundTripDriver.ts"
import { skillFiles } from "../../services/paging/SkillFilesDriver.ts"
import { Project } from "../../services/project/Project.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../services/project/ProjectLockLive.ts"
import { staysInside } from "../../services/project/ProjectTrust.ts"
import { initialise } from "./stats.ts"

/** The hook did not record what it was told in a trial: the project is not subscribed. */
export class RoundTripFailed extends Schema.TaggedError<RoundTripFailed>()("RoundTripFailed", {
  agent: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `the capture hook for ${this.agent} failed its trial (${this.reason}). Nothing is recorded yet: see that 'ctx-mcp' runs (npm i -g ctx-mcp), then install again.`
  }
}

/** How the project stands: the three states of the opt-in section, the first that holds. */
export type InstallState = "subscribed" | "declined" | "undecided"

const declineFile = "agents/tmp/context-paging.json"
const Declined = Schema.Struct({ harness_install: Schema.optional(Schema.String) })

/**
 * Whether context paging is installed here, was declined, or is to be asked for.
 *
 * Source: context-paging.md, "Harness opt-in section".
 */
export const installState = Effect.fn("paging.installState")(function* () {
  const { root } = yield* PagingPlace
  const path = yield* Path.Path
  if (yield* (yield* Registry).isSubscribed(root)) return "subscribed" satisfies InstallState
  const noted = yield* readJsonFile(path.join(root, declineFile), Declined)
  const declined = Option.exists(noted, ({ known }) => known.harness_install === "declined")
  return declined ? ("declined" satisfies InstallState) : ("undecided" satisfies InstallState)
})

/** Notes a no, so that nobody asks again. */
export const declineInstall = Effect.fn("paging.decline")(function* () {
  const { root } = yield* PagingPlace
  yield* writeInProject(declineFile, `${JSON.stringify({ harness_install: "declined" })}\n`)
  yield* ignoreFolders
  return { root }
})

export interface InstallOptions {
  /** These agents, or every one that somebody uses here. */
  readonly agents: ReadonlyArray<HostId> | "all"
  /** Whether files in the home folder, which all projects share, may be edited. */
  readonly home: boolean
}

/** What became of one agent's settings. `asks`: they lie in the home folder, and nobody agreed to edit them. */
export interface Wired {
  readonly agent: string
  readonly host: HostId
  readonly file: string
  readonly outcome: "wired" | "asks" | "failed"
  readonly reason?: string
  /** What a person has to do before it takes effect. */
  readonly afterwards?: string
}

/**
 * Installs context paging: the skill, the section in AGENTS.md, both lines in `.gitignore`, the hosts' hooks, a trial of the
 * hook in a place of its own; and subscribes the project last, so that subscribed means installed and tried.
 *
 * @throws RoundTripFailed where the trial recorded nothing; the project is then not subscribed.
 * Source: context-paging.md, "Install into a project"; design.md section 12.
 */
export const installPaging = Effect.fn("paging.install")(function* ({ agents, home }: InstallOptions) {
  const { database, root } = yield* PagingPlace
  yield* initialise()
  yield* ignoreFolders
  const section = yield* editFile("AGENTS.md", withSection)
  const skills = yield* Effect.forEach(skillFolders, installSkill)
  const wired = yield* wireHooks(agents, home)
  const tried = new Set(wired.filter(({ outcome }) => outcome === "wired").map(({ host }) => host))
  for (const host of tried) {
    if (!isHookAgent(host)) continue
    yield* Effect.mapError(captureRoundTrip(host), (reason) => new RoundTripFailed({ agent: host, reason }))
  }
  yield* (yield* Registry).subscribe(root, database)
  return { root, database, wired, section, skills: skills.some((changed) => changed) }
})

/** Takes back what `installPaging` did; the database, and what makes git ignore it, are kept. */
export const uninstallPaging = Effect.fn("paging.uninstall")(function* (home: boolean) {
  const { root } = yield* PagingPlace
  const was = yield* (yield* Registry).unsubscribe(root)
  const unwired = yield* unwireHooks(home)
  const section = yield* editFile("AGENTS.md", withoutSection)
  yield* Effect.forEach(skillFolders, removeSkill)
  return { root, was, unwired, section }
})

const skillFolders = [".claude/skills/context-paging", ".agents/skills/context-paging"] as const

const ignoreFolders = Effect.suspend(() => editFile(".gitignore", withIgnored))

/** Replaces a file of the project by what an edit makes of it; undefined deletes it. Whether it changed. */
const editFile = Effect.fnUntraced(function* (name: string, edit: (text: string) => string | undefined) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = yield* PagingPlace
  yield* staysInside(root, name)
  const file = path.join(root, name)
  const there = yield* readTextIfThere(file)
  const before = Option.getOrElse(there, () => "")
  const after = edit(before)
  if (after === before || (after === undefined && Option.isNone(there))) return false
  if (after === undefined) yield* Effect.mapError(fs.remove(file), fileFailure(file, "remove"))
  else yield* writeAtomically(file, after)
  return true
})

const writeInProject = Effect.fnUntraced(function* (name: string, content: string | Uint8Array, mode?: number) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = yield* PagingPlace
  yield* staysInside(root, name)
  const file = path.join(root, name)
  const folder = path.dirname(file)
  yield* Effect.mapError(fs.makeDirectory(folder, { recursive: true }), fileFailure(folder, "create"))
  yield* writeAtomically(file, content, mode === undefined ? {} : { mode })
})

/** Brings the skill's files up to date; others in its folder stay. Whether one changed. */
const installSkill = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = yield* PagingPlace
  let changed = false
  for (const file of skillFiles()) {
    const name = `${folder}/${file.path}`
    const before = yield* Effect.option(fs.readFile(path.join(root, name)))
    if (Option.exists(before, (bytes) => sameBytes(bytes, file.bytes))) continue
    yield* writeInProject(name, file.bytes, file.executable ? 0o755 : 0o644)
    changed = true
  }
  return changed
})

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index])

/** Deletes the skill's files, and its folders where nothing else is in them. */
const removeSkill = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { root } = yield* PagingPlace
  if (Option.isNone(yield* statIfThere(path.join(root, folder)))) return
  yield* staysInside(root, `${folder}/SKILL.md`)
  for (const { path: name } of skillFiles()) yield* Effect.ignore(fs.remove(path.join(root, folder, name)))
  yield* Effect.ignore(fs.remove(path.join(root, folder, "scripts", "__pycache__"), { recursive: true }))
  for (const name of ["scripts", "references", ""]) {
    const inner = path.join(root, folder, name)
    const names = yield* Effect.orElseSucceed(fs.readDirectory(inner), () => ["?"])
    if (names.length === 0) yield* Effect.ignore(fs.remove(inner, { recursive: true }))
  }
})

/** Where what undoes our edits is kept: beside the wiki's, or beside the database. */
const undoFolder = Effect.gen(function* () {
  const path = yield* Path.Path
  const { database, root } = yield* PagingPlace
  const contexo = path.join(root, ".contexo")
  return Option.isSome(yield* statIfThere(contexo)) ? contexo : path.dirname(database)
})

const underLock = <A, E, R>(work: (contexo: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { root } = yield* PagingPlace
    const contexo = yield* undoFolder
    const lock = ProjectLockLive.layer.pipe(Layer.provide(Layer.succeed(Project, { root, contexo })))
    return yield* Effect.flatMap(ProjectLock, ({ run }) => run(work(contexo))).pipe(Effect.provide(lock))
  })

const locateHooks = Effect.fnUntraced(function* (agents: ReadonlyArray<HostId> | "all") {
  const { root } = yield* PagingPlace
  const wanted =
    agents === "all"
      ? yield* Effect.filter(hosts, (host) => host.detect(root))
      : hosts.filter(({ id }) => agents.includes(id))
  return (yield* Effect.forEach(wanted, (host) => locateParts(host, root, ["hooks"]))).flat()
})

const wireHooks = (agents: ReadonlyArray<HostId> | "all", home: boolean) =>
  Effect.flatMap(locateHooks(agents), (located) =>
    underLock((contexo) =>
      Effect.forEach(located, (one) =>
        Effect.gen(function* () {
          const edit = pagingHooks[one.host.id] ?? one.edit
          const plan = yield* planAt(one.place, edit.wire)
          if (one.scope === "home" && !home && plan.change !== "present") return wiredAs(one, "asks")
          yield* carryOut(contexo, "paging", plan)
          return wiredAs(one, "wired")
        }).pipe(Effect.catchAll(({ message }) => Effect.succeed(wiredAs(one, "failed", message))))
      )
    )
  )

const wiredAs = ({ host, place }: Located, outcome: Wired["outcome"], reason?: string): Wired => ({
  agent: host.name,
  host: host.id,
  file: place.name,
  outcome,
  ...(reason === undefined ? {} : { reason }),
  ...(outcome === "wired" && host.afterwards.hooks !== undefined ? { afterwards: host.afterwards.hooks } : {})
})

/** Takes our hooks out of every agent's settings; those that capture turns for the wiki stay, where they were. */
const unwireHooks = (home: boolean) =>
  Effect.flatMap(locateHooks(hosts.map(({ id }) => id)), (located) =>
    underLock((contexo) =>
      Effect.forEach(located, (one) =>
        Effect.gen(function* () {
          const edit = pagingHooks[one.host.id]
          if (edit === undefined || (one.scope === "home" && !home)) return []
          const text = yield* readTextIfThere(one.place.path)
          const turns = Option.match(text, {
            onNone: () => "absent" as const,
            onSome: (some) => Either.getOrElse(one.edit.find(some), () => "absent" as const)
          })
          const isWiki = contexo.endsWith(".contexo") && (turns === "wired" || turns === "partial")
          const found = yield* takeOutAt(contexo, one.place, "paging", new Map([["paging", edit]]))
          if (isWiki) yield* carryOut(contexo, "hooks", yield* planAt(one.place, one.edit.wire))
          return found ? [one.place.name] : []
        }).pipe(Effect.catchAll(({ message }) => Effect.as(Effect.logWarning(message), [])))
      )
    )
  ).pipe(Effect.map((files) => files.flat()))

import { FileSystem, Path } from "@effect/platform"
import { Effect, Either, Layer, Option, Schema } from "effect"
import { renderIndex, renderTags } from "../../model/page/IndexFiles.ts"
import { parseServerUrl } from "../../model/sync/ServerUrl.ts"
import { carryOut, planAt, planFile } from "../../services/agents/FilePlan.ts"
import { ignoreLine } from "../../services/agents/GitIgnore.ts"
import { type Located, locateParts, type Part } from "../../services/agents/Hosts.ts"
import { writeAtomically } from "../../services/files/AtomicFile.ts"
import { fileFailure } from "../../services/files/Errno.ts"
import { FileFailure } from "../../services/files/FileFailure.ts"
import { isFolder, statIfThere } from "../../services/files/Files.ts"
import type { Repository } from "../../services/project/GitLayout.ts"
import { Project } from "../../services/project/Project.ts"
import { type ConfigFile, ProjectConfig } from "../../services/project/ProjectConfig.ts"
import * as ProjectConfigLive from "../../services/project/ProjectConfigLive.ts"
import { holdsProject, lookAround, projectAt, repositoryAround } from "../../services/project/ProjectDiscovery.ts"
import { ProjectLock } from "../../services/project/ProjectLock.ts"
import * as ProjectLockLive from "../../services/project/ProjectLockLive.ts"
import { checkTrust, staysInside } from "../../services/project/ProjectTrust.ts"
import { readShared, type Shared } from "../../services/sync/SharedConfig.ts"
import { ensureFolder } from "../../services/project/StoreFolder.ts"
import { findPart, hookAdvice, hookResolves, wantedHosts, wirePart } from "./wiring.ts"
import { InitStep, type InitReport } from "./InitReport.ts"

export interface InitOptions {
  /** Absolute path of the folder that the command runs in. */
  readonly cwd: string
  /** `--root`: this folder and no other. */
  readonly root?: string | undefined
  /** The folder itself, also below a repository's top or another project. */
  readonly here?: boolean | undefined
  readonly noMcp?: boolean | undefined
  readonly noCursor?: boolean | undefined
  readonly noGitignore?: boolean | undefined
  readonly noHooks?: boolean | undefined
}

/** The folder belongs to a project above it, or to the main worktree's. */
export class InsideProject extends Schema.TaggedError<InsideProject>()("InsideProject", {
  from: Schema.String,
  root: Schema.String
}) {
  override get message() {
    return `${this.from} already belongs to the project at ${this.root}; nothing was changed. Run 'ctx init' there to set it up again, or 'ctx init --here' for a project of this folder's own.`
  }
}

/** Folders of `.contexo/` that a new project gets (reference 1.1). */
const folders = ["wiki/concepts", "wiki/entities", "wiki/analyses", "raw/sessions"] as const

/**
 * Makes a project, or completes one: `.contexo/` with its folders, config and empty indexes, the agents' MCP entries and
 * the `.gitignore` line. Below a repository's top it is the top that becomes the project. Whatever is there stays; run
 * again, it changes nothing.
 *
 * Errors: whatever stands in the way is found before anything is written, so a failure leaves the folder as it was, a
 * full disk aside. `InsideProject` says where the project is that a folder belongs to already.
 *
 * Source: design.md section 4; reference 1.1, 1.9, 5.4.
 */
export const init = Effect.fn("init")(function* (options: InitOptions) {
  const project = yield* projectAt(yield* targetOf(options))
  const settings = ProjectConfigLive.layer.pipe(
    Layer.provideMerge(ProjectLockLive.layer),
    Layer.provideMerge(Layer.succeed(Project, project))
  )
  return yield* Effect.provide(setUp(options), settings)
})

/** The folder that becomes the project's root. */
const targetOf = (options: InitOptions) =>
  Effect.gen(function* () {
    const { from, named, project, repository } = yield* lookAround(options)
    if (!(yield* isFolder(from))) {
      return yield* new FileFailure({ path: from, operation: "initialise", reason: "there is no such folder" })
    }
    if (named || options.here === true) return from
    if (Option.isNone(project)) return Option.match(repository, { onNone: () => from, onSome: ({ top }) => top })
    yield* checkTrust(project.value)
    return project.value === from ? from : yield* new InsideProject({ from, root: project.value })
  })

const setUp = (options: InitOptions) =>
  Effect.gen(function* () {
    const { contexo, root } = yield* Project
    const repository = yield* repositoryAround(root)
    const shared = yield* examine
    const located = yield* wantedParts(options)
    yield* planEdits(root, located, options, repository)

    const fs = yield* FileSystem.FileSystem
    const isNew = !(yield* holdsProject(root))
    yield* fs
      .makeDirectory(contexo, { recursive: true, mode: 0o755 })
      .pipe(Effect.mapError(fileFailure(contexo, "create")))
    return yield* (yield* ProjectLock).run(
      Effect.gen(function* () {
        const created = [...(isNew ? [".contexo"] : []), ...(yield* makeFolders), ...(yield* writeSeeds)]
        const config = yield* configure(shared)
        const { edits } = yield* planEdits(root, located, options, repository)
        const wired = yield* Effect.forEach(located.filter(inProject("mcp")), (one) =>
          Effect.map(wirePart(one), (change) => InitStep.Wired({ agent: one.host.name, file: one.place.name, change }))
        )
        const hooked = yield* Effect.forEach(located.filter(inProject("hooks")), (one) => Effect.either(hook(one)))
        yield* Effect.forEach(edits, ({ plan }) => carryOut(contexo, "ignore", plan), { discard: true })
        return {
          root,
          steps: [
            InitStep.Scaffolded({ created: [...created, ...config.created] }),
            ...config.steps,
            ...wired,
            ...hooked.flatMap((one) => Option.toArray(Either.getRight(one))),
            ...edits.map(({ step }) => step)
          ],
          notes: [
            ...notesOn(root, repository),
            ...hooked.flatMap((one) => Option.toArray(Either.getLeft(one))),
            ...(yield* hookNotes(hooked.flatMap((one) => Option.toArray(Either.getRight(one)))))
          ],
          asks: yield* waiting(located)
        } satisfies InitReport
      })
    )
  })

const inProject = (part: Part) => (located: Located) => located.part === part && located.scope === "project"

/** What the agents that are used here get of us. */
const wantedParts = (options: InitOptions) =>
  Effect.gen(function* () {
    const { root } = yield* Project
    const parts: ReadonlyArray<Part> = [
      ...(options.noMcp === true ? [] : (["mcp"] as const)),
      ...(options.noHooks === true ? [] : (["hooks"] as const))
    ]
    const hosts = (yield* wantedHosts("all")).filter(({ id }) => id !== "cursor" || options.noCursor !== true)
    return (yield* Effect.forEach(hosts, (host) => locateParts(host, root, parts))).flat()
  })

/** Hooks are worth less than a project: what keeps them out of a file is said, and no failure. */
const hook = (located: Located) =>
  wirePart(located).pipe(
    Effect.map((change) => InitStep.Hooked({ host: located.host, file: located.place.name, change })),
    Effect.mapError(({ message }) => `Warning: the hooks of ${located.host.name} were not installed. ${message}`)
  )

const hookNotes = (hooked: ReadonlyArray<Extract<InitStep, { readonly _tag: "Hooked" }>>) =>
  Effect.gen(function* () {
    const fresh = hooked.filter(({ change }) => change !== "present")
    if (fresh.length === 0) return []
    const approve = fresh
      .filter(({ host }) => host.id === "codex")
      .map(({ host }) => `${host.name}: ${host.afterwards.hooks}.`)
    return (yield* hookResolves) ? approve : [...approve, hookAdvice]
  })

/** Parts in the home folder that are not there yet. */
const waiting = (located: ReadonlyArray<Located>) =>
  Effect.filter(
    located.filter(({ scope }) => scope === "home"),
    (one) => Effect.map(Effect.option(findPart(one)), (found) => !Option.contains(found, "wired"))
  ).pipe(
    Effect.map((parts) =>
      parts.map(({ host, part, place }) => ({ host: host.id, agent: host.name, part, file: place.name }))
    )
  )

/** Looks at everything that must be readable, and fails where it is not. */
const examine = Effect.gen(function* () {
  const { contexo, root } = yield* Project
  yield* checkTrust(root)
  if (yield* holdsProject(root)) {
    yield* Effect.forEach(folders, (folder) => staysInside(contexo, folder), { discard: true })
  } else if (Option.isSome(yield* statIfThere(contexo))) {
    return yield* new FileFailure({ path: contexo, operation: "initialise", reason: "it is not a folder" })
  }
  yield* (yield* ProjectConfig).read
  return yield* readShared(root)
})

/** The edits that `init` will not do without, looked at before anything is written. */
const planEdits = (
  root: string,
  located: ReadonlyArray<Located>,
  options: InitOptions,
  repository: Option.Option<Repository>
) =>
  Effect.gen(function* () {
    yield* Effect.forEach(located.filter(inProject("mcp")), ({ edit, place }) => planAt(place, edit.wire), {
      discard: true
    })
    const ignore = Effect.map(planFile(root, ".gitignore", ignoreLine.wire), (plan) => ({
      plan,
      step: InitStep.Ignored({ change: plan.change })
    }))
    return { edits: yield* Effect.all(options.noGitignore === true || Option.isNone(repository) ? [] : [ignore]) }
  })

const makeFolders = Effect.gen(function* () {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const missing = yield* Effect.filter(folders, (folder) => isFolder(path.join(contexo, folder)), { negate: true })
  yield* Effect.forEach(missing, (folder) => ensureFolder(contexo, folder), { discard: true })
  return missing.map((folder) => `.contexo/${folder}`)
})

/** Empty indexes, where there are none. */
const writeSeeds = Effect.gen(function* () {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const seeds = [
    { name: "index.md", text: renderIndex([], []) },
    { name: "tags.md", text: renderTags([]) }
  ]
  const missing = yield* Effect.filter(seeds, ({ name }) => isThere(path.join(contexo, name)), { negate: true })
  yield* Effect.forEach(missing, ({ name, text }) => writeAtomically(path.join(contexo, name), text), { discard: true })
  return missing.map(({ name }) => `.contexo/${name}`)
})

/** A config, where there is none, with what `contexo.json` knows and it does not. */
const configure = (shared: Shared) =>
  Effect.gen(function* () {
    const config = yield* ProjectConfig
    const isNew = !(yield* isThere((yield* Path.Path).join((yield* Project).contexo, "config.json")))
    const { repo, serverUrl } = missingFrom(yield* config.read, shared)
    const takes = Option.isSome(serverUrl) || Option.isSome(repo)
    if (isNew || takes) {
      yield* config.update({ server_url: Option.getOrUndefined(serverUrl), repo_id: Option.getOrUndefined(repo) })
    }
    return {
      created: isNew ? [".contexo/config.json"] : [],
      steps: takes ? [InitStep.FromShared({ serverUrl, repo })] : []
    }
  })

/** A repository is one of a server's: it is not taken over beside another server. */
const missingFrom = ({ repo_id = "", server_url = "" }: ConfigFile, shared: Shared): Shared => {
  const isOurs =
    server_url === "" ||
    Option.exists(Either.getRight(parseServerUrl(server_url)), (url) => Option.contains(shared.serverUrl, url))
  return {
    serverUrl: Option.filter(shared.serverUrl, () => server_url === ""),
    repo: Option.filter(shared.repo, () => repo_id === "" && isOurs)
  }
}

const isThere = (path: string) => Effect.map(statIfThere(path), Option.isSome)

const notesOn = (root: string, repository: Option.Option<Repository>): ReadonlyArray<string> => {
  if (Option.isNone(repository)) {
    return [
      `${root} is not in a git repository, so nothing keeps .contexo/ (with your token in credentials.json) out of one: run 'ctx init' again after 'git init', before the first commit.`
    ]
  }
  return Option.toArray(repository.value.main).map(
    (main) =>
      `${repository.value.top} is a linked git worktree, and its .contexo/ goes when the worktree is removed. To share one between worktrees, run 'ctx init' in ${main}.`
  )
}

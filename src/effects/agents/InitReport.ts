import { Data, Option } from "effect"
import type { Change } from "../../services/agents/Change.ts"
import type { Host, HostId, Part } from "../../services/agents/Hosts.ts"

/** One thing that `ctx init` saw to. */
export type InitStep = Data.TaggedEnum<{
  /** Folders and files of `.contexo/` that were missing, relative to the root. */
  Scaffolded: { readonly created: ReadonlyArray<string> }
  /** What the config took over from the committed `contexo.json`. */
  FromShared: { readonly serverUrl: Option.Option<string>; readonly repo: Option.Option<string> }
  /** An agent's MCP entry; `file` is relative to the root, or absolute in the home folder. */
  Wired: { readonly agent: string; readonly file: string; readonly change: Change }
  /** The hooks that record an agent's turns. */
  Hooked: { readonly host: Pick<Host, "id" | "name" | "afterwards">; readonly file: string; readonly change: Change }
  Ignored: { readonly change: Change }
}>
export const InitStep = Data.taggedEnum<InitStep>()

/** What `ctx init` came to. */
export interface InitReport {
  readonly root: string
  readonly steps: ReadonlyArray<InitStep>
  /** What a person should know about it. */
  readonly notes: ReadonlyArray<string>
  /** Files in the home folder, which all projects share, that wait for a person to agree. */
  readonly asks: ReadonlyArray<{
    readonly host: HostId
    readonly agent: string
    readonly part: Part
    readonly file: string
  }>
}

/** The line that says a step, where there is something to say (reference section 7). */
export const describeStep: (step: InitStep) => Option.Option<string> = InitStep.$match({
  Scaffolded: () => Option.none(),
  FromShared: ({ repo, serverUrl }) => {
    const parts = [
      ...Option.toArray(Option.map(serverUrl, (url) => `server ${url}`)),
      ...Option.toArray(Option.map(repo, (id) => `repository ${id}`))
    ]
    return parts.length === 0 ? Option.none() : Option.some(`  Took ${parts.join(" and ")} from contexo.json`)
  },
  Wired: ({ agent, change, file }) => {
    if (change === "present") return Option.some(`  ${file} already has the contexo entry; leaving it alone`)
    return agent === "Claude Code"
      ? Option.some(`  Wired ${agent} (${file}) — restart your agent to load the contexo server`)
      : Option.some(`  ${agent} detected — wired ${file}`)
  },
  Hooked: ({ change, file, host }) =>
    change === "present" ? Option.none() : Option.some(`  ${host.name} records its turns (${file})`),
  Ignored: ({ change }) => {
    if (change === "present") return Option.none()
    return Option.some(change === "created" ? "  Created .gitignore with .contexo/" : "  Added .contexo/ to .gitignore")
  }
})

/** The lines of `ctx init`, the notes aside. */
export const initLines = ({ root, steps }: Pick<InitReport, "root" | "steps">): ReadonlyArray<string> => [
  ...steps.flatMap((step) => Option.toArray(describeStep(step))),
  `Initialized .contexo in ${root}`
]

import { Data, Option } from "effect"
import type { Change } from "../services/agents/Change.ts"

/** One thing that `ctx init` saw to. */
export type InitStep = Data.TaggedEnum<{
  /** Folders and files of `.contexo/` that were missing, relative to the root. */
  Scaffolded: { readonly created: ReadonlyArray<string> }
  /** What the config took over from the committed `contexo.json`. */
  FromShared: { readonly serverUrl: Option.Option<string>; readonly repo: Option.Option<string> }
  /** An agent's MCP entry; `file` is relative to the root. */
  Wired: { readonly agent: "Claude Code" | "Cursor"; readonly file: string; readonly change: Change }
  Ignored: { readonly change: Change }
}>
export const InitStep = Data.taggedEnum<InitStep>()

/** What `ctx init` came to. */
export interface InitReport {
  readonly root: string
  readonly steps: ReadonlyArray<InitStep>
  /** What a person should know about it. */
  readonly notes: ReadonlyArray<string>
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
    return agent === "Cursor"
      ? Option.some(`  Cursor detected — wired ${file}`)
      : Option.some(`  Wired ${agent} (${file}) — restart your agent to load the contexo server`)
  },
  Ignored: ({ change }) => {
    if (change === "present") return Option.none()
    return Option.some(change === "created" ? "  Created .gitignore with .contexo/" : "  Added .contexo/ to .gitignore")
  }
})

/** The lines of `ctx init`, the notes aside. */
export const initLines = ({ root, steps }: InitReport): ReadonlyArray<string> => [
  ...steps.flatMap((step) => Option.toArray(describeStep(step))),
  `Initialized .contexo in ${root}`
]

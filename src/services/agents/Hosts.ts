import { type FileSystem, Path } from "@effect/platform"
import { Effect, Option } from "effect"
import { environment } from "../runtime/Environment.ts"
import type { FileFailure } from "../files/FileFailure.ts"
import { isFolder, statIfThere } from "../files/Files.ts"
import { hasCursor, homeFolder, isOnPath, orFalse } from "./AgentDetection.ts"
import type { Edit } from "./Edit.ts"
import type { FilePlace } from "./FilePlan.ts"
import { jsonHooks } from "./HookEntries.ts"
import { mcpEntry, mcpServer, mcpServers } from "./McpEntry.ts"
import { tomlHooks, tomlServer } from "./TomlEntries.ts"

type Disk = FileSystem.FileSystem | Path.Path

export const hostIds = ["claude", "cursor", "codex", "gemini", "opencode", "kimi"] as const
export type HostId = (typeof hostIds)[number]

/** What of ours an agent's settings hold: the MCP server, or the hooks that record its turns. */
export type Part = "mcp" | "hooks"

/** Where an agent keeps a part: in the project, or in the home folder, for all projects. */
type Settings =
  | {
      readonly scope: "project"
      /** The first that is there counts, else the first. */ readonly files: readonly [string, ...Array<string>]
    }
  | {
      readonly scope: "home"
      /** Names the folder, where it is set. */
      readonly variable: string
      readonly folder: string
      readonly file: string
      /** Whether the folder shows that the agent is used. */
      readonly onlyIfThere?: boolean
    }

interface Target {
  readonly part: Part
  readonly settings: Settings
  readonly edit: Edit
}

/** An agent that we know how to wire up. */
export interface Host {
  readonly id: HostId
  readonly name: string
  /** Whether somebody uses it here. What cannot be read counts as not there. */
  readonly detect: (root: string) => Effect.Effect<boolean, never, Disk>
  readonly targets: ReadonlyArray<Target>
  /** What a person has to do before it takes effect. */
  readonly afterwards: Readonly<Partial<Record<Part, string>>>
}

const isThere = (root: string, ...names: ReadonlyArray<string>) =>
  Effect.flatMap(Path.Path, (path) =>
    Effect.exists(names, (name) => orFalse(Effect.map(statIfThere(path.join(root, name)), Option.isSome)))
  )

const anyOf = (...checks: ReadonlyArray<Effect.Effect<boolean, never, Disk>>) => Effect.exists(checks, (check) => check)

const inHome = (name: string) =>
  Effect.flatMap(homeFolder, (home) =>
    Option.match(home, { onNone: () => Effect.succeed(false), onSome: (folder) => isThere(folder, name) })
  )

const project = (part: Part, edit: Edit, ...files: readonly [string, ...Array<string>]): Target => ({
  part,
  settings: { scope: "project", files },
  edit
})

const kimiCode = { scope: "home", variable: "KIMI_CODE_HOME", folder: ".kimi-code", onlyIfThere: true } as const
const kimiCli = { scope: "home", variable: "KIMI_SHARE_DIR", folder: ".kimi", onlyIfThere: true } as const
const kimiHooks = tomlHooks("kimi", ["Stop", "SessionEnd"])

/**
 * Every agent that we wire up, and what we put where.
 *
 * Source: reference.md 5.3 and 5.4, paging.md 3 to 6, design.md section 4.
 */
export const hosts: ReadonlyArray<Host> = [
  {
    id: "claude",
    name: "Claude Code",
    detect: () => Effect.succeed(true),
    targets: [
      project("mcp", mcpServers, ".mcp.json"),
      project(
        "hooks",
        jsonHooks({ agent: "claude", events: ["Stop", "SessionEnd"], layout: "groups", timeout: 30 }),
        ".claude/settings.json"
      )
    ],
    afterwards: { mcp: "restart it, and let it use the contexo server when it asks", hooks: "restart it" }
  },
  {
    id: "cursor",
    name: "Cursor",
    detect: () => hasCursor,
    targets: [
      project("mcp", mcpServers, ".cursor/mcp.json"),
      project(
        "hooks",
        jsonHooks({
          agent: "cursor",
          events: ["beforeSubmitPrompt", "postToolUse", "afterAgentResponse", "stop"],
          layout: "flat",
          version: 1
        }),
        ".cursor/hooks.json"
      )
    ],
    afterwards: { mcp: "switch the contexo server on in its settings, under MCP", hooks: "restart it" }
  },
  {
    id: "codex",
    name: "Codex",
    detect: () => isOnPath("codex"),
    targets: [
      {
        part: "mcp",
        settings: { scope: "home", variable: "CODEX_HOME", folder: ".codex", file: "config.toml" },
        edit: tomlServer
      },
      project(
        "hooks",
        jsonHooks({ agent: "codex", events: ["UserPromptSubmit", "Stop"], layout: "groups", timeout: 30 }),
        ".codex/hooks.json"
      )
    ],
    afterwards: {
      mcp: "restart it",
      hooks:
        "start codex in this folder, trust the folder, and approve the hooks with /hooks; until then it skips them without a word, and again after each change of them"
    }
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    detect: (root) => anyOf(isOnPath("gemini"), isThere(root, ".gemini")),
    targets: [
      project("mcp", mcpServers, ".gemini/settings.json"),
      project(
        "hooks",
        jsonHooks({ agent: "gemini", events: ["AfterAgent", "SessionEnd"], layout: "groups", timeout: 30_000 }),
        ".gemini/settings.json"
      )
    ],
    afterwards: { mcp: "restart it, and trust the folder", hooks: "restart it, and trust the folder" }
  },
  {
    id: "opencode",
    name: "OpenCode",
    detect: (root) => anyOf(isOnPath("opencode"), isThere(root, "opencode.json", "opencode.jsonc", ".opencode")),
    // It runs no commands on events: its turns are not recorded.
    targets: [
      project(
        "mcp",
        mcpServer("mcp", { type: "local", command: [mcpEntry.command, ...mcpEntry.args] }),
        "opencode.json",
        "opencode.jsonc"
      )
    ],
    afterwards: { mcp: "restart it" }
  },
  {
    id: "kimi",
    name: "Kimi",
    detect: () => anyOf(isOnPath("kimi"), inHome(".kimi-code"), inHome(".kimi")),
    targets: [
      project("mcp", mcpServers, ".kimi-code/mcp.json"),
      { part: "mcp", settings: { ...kimiCli, file: "mcp.json" }, edit: mcpServers },
      { part: "hooks", settings: { ...kimiCode, file: "config.toml" }, edit: kimiHooks },
      { part: "hooks", settings: { ...kimiCli, file: "config.toml" }, edit: kimiHooks }
    ],
    afterwards: { mcp: "restart it", hooks: "restart it" }
  }
]

/** A part of ours in a file of an agent, found on this machine. */
export interface Located {
  readonly host: Host
  readonly part: Part
  readonly scope: "project" | "home"
  readonly place: FilePlace
  readonly edit: Edit
}

/** Where an agent's parts are on this machine. Files in the home folder are left out where there is no home. */
export const locateParts = (
  host: Host,
  root: string,
  parts: ReadonlyArray<Part>
): Effect.Effect<ReadonlyArray<Located>, FileFailure, Disk> =>
  Effect.gen(function* () {
    const targets = host.targets.filter(({ part }) => parts.includes(part))
    const found = yield* Effect.forEach(targets, ({ edit, part, settings }) =>
      Effect.map(
        placeOf(root, settings),
        Option.map((place): Located => ({ host, part, scope: settings.scope, place, edit }))
      )
    )
    return found.flatMap(Option.toArray)
  })

const placeOf = (root: string, settings: Settings): Effect.Effect<Option.Option<FilePlace>, FileFailure, Disk> =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    if (settings.scope === "project") {
      const [first] = settings.files
      const there = yield* Effect.findFirst(settings.files, (file) =>
        Effect.map(statIfThere(path.join(root, file)), Option.isSome)
      )
      const name = Option.getOrElse(there, () => first)
      return Option.some({ name, path: path.join(root, name), root })
    }
    const home = Option.map(yield* homeFolder, (folder) => path.join(folder, settings.folder))
    const folder = Option.orElse(Option.filter(yield* environment(settings.variable), path.isAbsolute), () => home)
    if (Option.isNone(folder)) return Option.none()
    if (settings.onlyIfThere === true && !(yield* isFolder(folder.value))) return Option.none()
    const file = path.join(folder.value, settings.file)
    return Option.some({ name: file, path: file })
  })

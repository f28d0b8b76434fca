import { Path } from "@effect/platform"
import { Effect, Either, Option, Predicate } from "effect"
import { homeFolder } from "../../services/agents/AgentDetection.ts"
import type { HostId, Part } from "../../services/agents/Hosts.ts"
import { valueIn } from "../../services/files/Jsonc.ts"
import { parseToml } from "../../services/agents/Toml.ts"
import { environment } from "../../services/runtime/Environment.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { Project } from "../../services/project/Project.ts"
import { agentStatus, type AgentStatus, hookAdvice, hookResolves } from "../agents/wiring.ts"
import { type Finding, ok, warning } from "./Finding.ts"

/** Which agents are wired up, and which of that is stale, not approved yet, or ignored by its host without a word. */
export const agentFindings = Effect.gen(function* () {
  const statuses = yield* agentStatus()
  const quiet = yield* silenced
  const findings = statuses.flatMap((status) => [
    ...status.parts.flatMap((part) => partFindings(status, part)),
    ...quiet
      .filter(({ host, part }) => host === status.host.id && hasPart(status, part))
      .map(({ fix, part, path, why }) =>
        warning("agents", `${status.host.name}: ${nameOf(part)} ${why}`, { path, fix })
      )
  ])
  const hooked = statuses.some((status) => hasPart(status, "hooks"))
  return hooked && !(yield* hookResolves) ? [...findings, warning("agents", hookAdvice)] : findings
}).pipe(Effect.catchAll(({ message }) => Effect.succeed<ReadonlyArray<Finding>>([warning("agents", message)])))

const nameOf = (part: Part): string => (part === "mcp" ? "the contexo server" : "hooks")

const hasPart = ({ parts }: AgentStatus, wanted: Part): boolean =>
  parts.some(({ found, part }) => part === wanted && Either.isRight(found) && found.right !== "absent")

const partFindings = (
  { host }: AgentStatus,
  { file, found, part }: AgentStatus["parts"][number]
): ReadonlyArray<Finding> => {
  if (Either.isLeft(found)) return [warning("agents", `${host.name}: ${found.left}`)]
  const fix = `ctx ${part} install --tool=${host.id}`
  switch (found.right) {
    case "absent":
      return []
    case "wired":
      return [ok("agents", `${host.name}: ${nameOf(part)} in ${file}`)]
    case "partial":
      return [warning("agents", `${host.name}: some of our hooks are missing in ${file}`, { fix })]
    case "stale":
      return [
        warning(
          "agents",
          `${host.name}: ${nameOf(part)} in ${file} ${part === "mcp" ? "is" : "are"} another client's`,
          { fix }
        )
      ]
  }
}

/** A part that its host does not run. */
interface Silenced {
  readonly host: HostId
  readonly part: Part
  readonly path: string
  readonly why: string
  readonly fix: string
}

/** What a settings file says, nothing where it is not there or not valid. */
interface Settings {
  readonly path: string
  readonly value: unknown
}

const silenced = Effect.gen(function* () {
  const path = yield* Path.Path
  const { root } = yield* Project
  const home = yield* homeFolder
  const inHome = (...names: ReadonlyArray<string>) =>
    Option.toArray(Option.map(home, (folder) => path.join(folder, ...names)))
  const inRoot = (...names: ReadonlyArray<string>) => path.join(root, ...names)
  const read = (files: ReadonlyArray<string>, parse: (text: string) => Option.Option<unknown>) =>
    Effect.forEach(files, (file) =>
      Effect.map(Effect.option(readTextIfThere(file)), (text): Settings => ({
        path: file,
        value: Option.getOrUndefined(Option.flatMap(Option.flatten(text), parse))
      }))
    )
  const codexHome = Option.map(yield* environment("CODEX_HOME"), (folder) => path.join(folder, "config.toml"))
  const claude = [inRoot(".claude", "settings.json"), inRoot(".claude", "settings.local.json")]
  const geminiEverywhere = yield* read(inHome(".gemini", "settings.json"), valueIn)
  return [
    ...(yield* read([...claude, ...inHome(".claude", "settings.json")], valueIn)).flatMap(byClaude),
    ...[...(yield* read([inRoot(".gemini", "settings.json")], valueIn)), ...geminiEverywhere].flatMap(byGemini),
    ...(yield* read(inHome(".gemini", "trustedFolders.json"), valueIn)).flatMap((settings) =>
      byGeminiTrust(settings, geminiEverywhere, root, path.sep)
    ),
    ...(yield* read(
      Option.match(codexHome, { onNone: () => inHome(".codex", "config.toml"), onSome: (one) => [one] }),
      (text) => Either.getRight(parseToml(text))
    )).flatMap((settings) => byCodex(settings, root, inRoot(".codex", "hooks.json"))),
    ...(yield* read([inRoot("opencode.json"), inRoot("opencode.jsonc")], valueIn)).flatMap((settings) =>
      byEntry("opencode", settings, "mcp")
    ),
    ...(yield* read([inRoot(".kimi-code", "mcp.json")], valueIn)).flatMap((settings) =>
      byEntry("kimi", settings, "mcpServers")
    ),
    ...(yield* read([inRoot(".cursor", "mcp.json")], valueIn)).flatMap((settings) =>
      byEntry("cursor", settings, "mcpServers")
    )
  ]
})

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>((inner, key) => (Predicate.isRecord(inner) ? inner[key] : undefined), value)

const lists = (value: unknown, name: string): boolean => Array.isArray(value) && value.includes(name)

const byClaude = ({ path, value }: Settings): ReadonlyArray<Silenced> => [
  ...(at(value, "disableAllHooks") === true
    ? [
        {
          host: "claude",
          part: "hooks",
          path,
          why: "are off (disableAllHooks)",
          fix: "take disableAllHooks out"
        } as const
      ]
    : []),
  ...(lists(at(value, "disabledMcpjsonServers"), "contexo")
    ? [
        {
          host: "claude",
          part: "mcp",
          path,
          why: "is off (disabledMcpjsonServers)",
          fix: "take contexo out of that list"
        } as const
      ]
    : [])
]

const byGemini = ({ path, value }: Settings): ReadonlyArray<Silenced> => {
  const allowed = at(value, "mcp", "allowed")
  const keptOut =
    lists(at(value, "mcp", "excluded"), "contexo") || (Array.isArray(allowed) && !lists(allowed, "contexo"))
  return [
    ...(at(value, "hooksConfig", "enabled") === false
      ? [
          {
            host: "gemini",
            part: "hooks",
            path,
            why: "are off (hooksConfig.enabled)",
            fix: "switch them on there"
          } as const
        ]
      : []),
    ...(keptOut
      ? [
          {
            host: "gemini",
            part: "mcp",
            path,
            why: "is kept out (mcp.allowed, mcp.excluded)",
            fix: "let contexo in there"
          } as const
        ]
      : []),
    ...byEntry("gemini", { path, value }, "mcpServers")
  ]
}

/** Gemini CLI reads nothing of a project's settings in a folder that it does not trust, unless trust is off for all. */
const byGeminiTrust = (
  { path, value }: Settings,
  everywhere: ReadonlyArray<Settings>,
  root: string,
  sep: string
): ReadonlyArray<Silenced> => {
  if (everywhere.some((settings) => at(settings.value, "security", "folderTrust", "enabled") === false)) return []
  const above = (folder: string) => root === folder || root.startsWith(folder.endsWith(sep) ? folder : folder + sep)
  const parentOf = (folder: string) => folder.slice(0, Math.max(1, folder.lastIndexOf(sep)))
  const trusted =
    Predicate.isRecord(value) &&
    Object.entries(value).some(
      ([folder, level]) =>
        (level === "TRUST_FOLDER" && above(folder)) || (level === "TRUST_PARENT" && above(parentOf(folder)))
    )
  const fix = "start gemini here, and trust the folder"
  const because = "skipped: Gemini CLI does not trust this folder"
  return trusted
    ? []
    : [
        { host: "gemini", part: "mcp", path, why: `is ${because}`, fix },
        { host: "gemini", part: "hooks", path, why: `are ${because}`, fix }
      ]
}

/** Codex runs a project's hooks only in a trusted folder, and each only once somebody approved it. */
const byCodex = ({ path, value }: Settings, root: string, hooks: string): ReadonlyArray<Silenced> => {
  const hook = { host: "codex", part: "hooks", path } as const
  const off = ["hooks", "codex_hooks"].find((name) => at(value, "features", name) === false)
  const state = at(value, "hooks", "state")
  const approved = Predicate.isRecord(state) && Object.keys(state).some((key) => key.startsWith(`${hooks}:`))
  const trusted = at(value, "projects", root, "trust_level") === "trusted"
  return [
    ...(off === undefined ? [] : [{ ...hook, why: `are off (features.${off})`, fix: "switch them on there" }]),
    ...(trusted
      ? []
      : [
          {
            ...hook,
            why: "are skipped: Codex does not trust this folder",
            fix: "start codex here, and trust the folder"
          }
        ]),
    ...(approved
      ? []
      : [
          {
            ...hook,
            why: "are skipped: nobody has approved them in Codex",
            fix: "start codex here, and approve them with /hooks"
          }
        ]),
    ...byEntry("codex", { path, value }, "mcp_servers")
  ]
}

/** Most hosts let an entry be switched off where it stands. */
const byEntry = (host: HostId, { path, value }: Settings, key: string): ReadonlyArray<Silenced> => {
  const entry = at(value, key, "contexo")
  return at(entry, "enabled") === false || at(entry, "disabled") === true
    ? [{ host, part: "mcp", path, why: "is switched off", fix: "switch it on there" }]
    : []
}

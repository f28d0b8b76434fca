import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import {
  agentStatus,
  hookAdvice,
  hookResolves,
  hostIds,
  type Part,
  type PartReport,
  unwireAgents,
  wireAgents,
  type WiringOptions
} from "../../effects/agents/wiring.ts"
import { hosts } from "../../services/agents/Hosts.ts"
import { agentRows, agentsJson, wiringJson, wiringLines, wiringWarnings } from "../render/agents.ts"
import { agreed, canAsk } from "./frame/ask.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { jsonOption } from "./frame/options.ts"
import { projectLayer } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"

const config = {
  tool: Options.choice("tool", [...hostIds, "all"]).pipe(
    Options.withDescription("this agent; all: every one that is used here"),
    Options.withDefault("all")
  ),
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("also where its settings lie in the home folder, for all projects; do not ask")
  ),
  json: jsonOption
}

const words = {
  mcp: { install: "Puts the contexo MCP server into", uninstall: "Takes the contexo MCP server out of" },
  hooks: {
    install: "Puts the hooks that record your turns in .contexo/ into",
    uninstall: "Takes our hooks out of"
  }
}

const edits = (part: Part, verb: "install" | "uninstall") =>
  cliCommand(
    `${part} ${verb}`,
    `${words[part][verb]} the agents' settings. Everything else in them stays as it is.`,
    config,
    Command.make(verb, config, ({ json, tool, yes }) =>
      reply(
        json,
        Effect.gen(function* () {
          const tools = tool === "all" ? tool : [tool]
          const { question, reports } = yield* withConsent(verb === "install" ? wireAgents : unwireAgents, {
            tools,
            parts: [part],
            home: yes
          })
          const lines = wiringLines(reports)
          const failed = wiringWarnings(reports)
          const named = tool !== "all" && question !== undefined
          return {
            text: named ? `${question} Answer with --yes.` : [...lines, ...nothing(lines, failed, part)].join("\n"),
            json: wiringJson(reports),
            notes: [
              ...failed,
              ...(named || question === undefined ? [] : [`${question} Answer with --yes.`]),
              ...(yield* verb === "install" ? whatNext(reports) : Effect.succeed([]))
            ],
            exit: failed.length > 0 ? 1 : named ? 3 : 0
          } satisfies Answer
        })
      ).pipe(Effect.provide(projectLayer))
    )
  )

const nothing = (lines: ReadonlyArray<string>, failed: ReadonlyArray<string>, part: Part) =>
  lines.length > 0 || failed.length > 0 ? [] : [`Nothing to do: no ${part === "mcp" ? "MCP entry" : "hooks"} here.`]

/** Runs an operation, and once more for the files in the home folder when the person at the terminal agrees to that. */
export const withConsent = <E, R>(
  operation: (options: WiringOptions) => Effect.Effect<ReadonlyArray<PartReport>, E, R>,
  options: WiringOptions
) =>
  Effect.gen(function* () {
    const reports = yield* operation(options)
    const asks = reports.filter(({ outcome }) => outcome._tag === "Asks")
    if (asks.length === 0) return { reports, question: undefined }
    const question = consentQuestion(asks)
    if (!(yield* canAsk)) return { reports, question }
    if (!(yield* agreed(question))) return { reports, question: undefined }
    const tools = hostIds.filter((id) => asks.some(({ host }) => host === id))
    const done = (yield* operation({ ...options, tools, home: true })).filter(({ scope }) => scope === "home")
    return { reports: [...reports.filter((one) => !asks.includes(one)), ...done], question: undefined }
  })

const consentQuestion = (asks: ReadonlyArray<PartReport>): string => {
  const names = [...new Set(asks.map(({ agent }) => agent))].join(" and ")
  const files = [...new Set(asks.map(({ file }) => file))].join(", ")
  return `${names}: settings for all projects would be edited (${files}). Go on?`
}

/** What a person has to do before it works. */
export const whatNext = (reports: ReadonlyArray<PartReport>) =>
  Effect.gen(function* () {
    const fresh = reports.filter(
      ({ outcome }) => outcome._tag === "Done" && outcome.change !== "present" && outcome.change !== "absent"
    )
    const steps = hosts.flatMap((host) =>
      (["mcp", "hooks"] as const)
        .flatMap((part) =>
          fresh.some((one) => one.host === host.id && one.part === part) ? [host.afterwards[part]] : []
        )
        .map((step) => `${host.name}: ${step}.`)
    )
    const hooks = fresh.some(({ part }) => part === "hooks") && !(yield* hookResolves)
    return [...new Set(steps), ...(hooks ? [hookAdvice] : [])]
  })

const statusConfig = { json: jsonOption }

const status = (part: Part) =>
  cliCommand(
    `${part} status`,
    "Shows which agents are used here, and what of ours their settings hold.",
    statusConfig,
    Command.make("status", statusConfig, ({ json }) =>
      reply(
        json,
        Effect.map(agentStatus(), (all): Answer => {
          const own = all.map((one) => ({ ...one, parts: one.parts.filter((found) => found.part === part) }))
          const shown = own.filter(({ host }) => host.targets.some((target) => target.part === part))
          return { text: agentRows(shown).join("\n"), json: agentsJson(shown) }
        })
      ).pipe(Effect.provide(projectLayer))
    )
  )

export const mcpInstall = edits("mcp", "install")
export const mcpUninstall = edits("mcp", "uninstall")
export const mcpStatus = status("mcp")
export const hooksInstall = edits("hooks", "install")
export const hooksUninstall = edits("hooks", "uninstall")
export const hooksStatus = status("hooks")

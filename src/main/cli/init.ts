import { Command, Options } from "@effect/cli"
import { Effect, Layer } from "effect"
import { agentStatus, wireAgents } from "../../effects/agents/wiring.ts"
import { init as initProject } from "../../effects/agents/init.ts"
import type { InitReport } from "../../effects/agents/InitReport.ts"
import { Project } from "../../services/project/Project.ts"
import { projectAt } from "../../services/project/ProjectDiscovery.ts"
import * as ProjectLockLive from "../../services/project/ProjectLockLive.ts"
import { wiringLines, wiringWarnings } from "../render/agents.ts"
import { initText } from "../render/init.ts"
import { cliCommand } from "./frame/CliCommand.ts"
import { whereabouts } from "./frame/project.ts"
import { type Answer, reply } from "./frame/Reply.ts"
import { whatNext, withConsent } from "./wiring.ts"

const flag = (name: string, what: string) => Options.boolean(name).pipe(Options.withDescription(what))

const config = {
  here: flag("here", "this folder, even below a repository's top or another project"),
  noMcp: flag("no-mcp", "do not touch the agents' MCP settings"),
  noCursor: flag("no-cursor", "do not touch Cursor's"),
  noGitignore: flag("no-gitignore", "do not touch .gitignore"),
  noHooks: flag("no-hooks", "do not record the agents' turns"),
  yes: Options.boolean("yes").pipe(
    Options.withAlias("y"),
    Options.withDescription("also edit agents' settings in the home folder, for all projects; do not ask")
  )
}

export const init = cliCommand(
  "init",
  "Sets up .contexo/ for this repository and wires up the agents that are here. Run again, it changes nothing.",
  config,
  Command.make("init", config, (flags) =>
    reply(
      false,
      Effect.gen(function* () {
        const report = yield* initProject({ ...(yield* whereabouts), ...flags })
        const here = Layer.provideMerge(ProjectLockLive.layer, Layer.effect(Project, projectAt(report.root)))
        return yield* Effect.provide(answer(report, flags.yes), here)
      })
    )
  )
)

const answer = (report: InitReport, yes: boolean) =>
  Effect.gen(function* () {
    const home = yield* wireHome(report, yes)
    return {
      text: initText(report, wiringLines(home.reports), yield* agentStatus()),
      notes: [...report.notes, ...wiringWarnings(home.reports), ...home.hints, ...(yield* whatNext(home.reports))]
    } satisfies Answer
  })

/** Settings in the home folder: only when somebody agrees. */
const wireHome = ({ asks }: InitReport, yes: boolean) =>
  Effect.gen(function* () {
    if (asks.length === 0) return { reports: [], hints: [] }
    const { question, reports } = yield* withConsent(wireAgents, {
      tools: [...new Set(asks.map(({ host }) => host))],
      parts: [...new Set(asks.map(({ part }) => part))],
      home: yes
    })
    return {
      reports: reports.filter(({ scope }) => scope === "home"),
      hints:
        question === undefined
          ? []
          : asks.map(
              ({ agent, file, host, part }) =>
                `${agent}: its ${part === "mcp" ? "MCP servers" : "hooks"} stand in ${file}, for all projects. To wire it up: ctx ${part} install --tool=${host} --yes`
            )
    }
  })

import { Command } from "@effect/cli"
import { Effect } from "effect"
import { sweepAll } from "../../../effects/paging/sweep.ts"
import { forAgentLine } from "../../../model/text/Sanitise.ts"
import { cliCommand } from "../frame/CliCommand.ts"
import { jsonOption } from "../frame/options.ts"
import { withProgress } from "../frame/progress.ts"
import { reply } from "../frame/Reply.ts"
import { pagingLayer } from "./frame.ts"

const config = { json: jsonOption }

export const sweep = cliCommand(
  "paging sweep",
  "Takes in what agents have recorded of this project before: every transcript, each row once.",
  config,
  Command.make("sweep", config, ({ json }) =>
    reply(
      json,
      Effect.map(withProgress("sweeping")(sweepAll()), (swept) => {
        const rows = swept.reduce((sum, one) => sum + one.rows, 0)
        return {
          text: [
            `${rows} new row(s) from ${swept.length} transcript(s)`,
            ...swept
              .filter((one) => one.rows > 0)
              .map(({ agent, path, rows: own }) => `  ${agent} ${forAgentLine(path)}: ${own}`)
          ].join("\n"),
          json: { rows, transcripts: swept }
        }
      })
    ).pipe(Effect.provide(pagingLayer))
  )
)

import { Config, Effect, Option } from "effect"
import { colourStyle, plainStyle, type Style } from "../../render/style.ts"
import { Stdio } from "./Stdio.ts"

/** Colour only on a terminal, and not where `NO_COLOR` is set to anything or the terminal can do nothing. */
const choose = (isTty: boolean): Effect.Effect<Style> =>
  Effect.gen(function* () {
    const noColour = yield* Config.option(Config.string("NO_COLOR"))
    const terminal = yield* Config.withDefault(Config.string("TERM"), "")
    return isTty && !Option.exists(noColour, (text) => text !== "") && terminal !== "dumb" ? colourStyle : plainStyle
  }).pipe(Effect.orElseSucceed(() => plainStyle))

/** How the document on stdout is painted. */
export const stdoutStyle = Effect.flatMap(Stdio, ({ stdoutIsTty }) => choose(stdoutIsTty))

/** How what is said on stderr is painted. */
export const stderrStyle = Effect.flatMap(Stdio, ({ stderrIsTty }) => choose(stderrIsTty))

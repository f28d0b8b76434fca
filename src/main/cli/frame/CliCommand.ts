import { Args, CliConfig, Command, CommandDescriptor, Options, type ValidationError } from "@effect/cli"
import type { FileSystem, Path, Terminal } from "@effect/platform"
import { Array, Context, Effect, Either, Option } from "effect"
import { type CommandLine, readArgv, shapeOf } from "./argv.ts"
import { commandHelp, paragraphs } from "./help.ts"
import { Reply } from "./Reply.ts"
import type { Stdio } from "./Stdio.ts"
import { UsageError } from "./UsageError.ts"

/** `--root`, when it was given: a folder, as typed. */
export class RootOption extends Context.Tag("ctx-mcp/cli/RootOption")<RootOption, Option.Option<string>>() {}

/** What every command may ask for. Everything else it provides itself, so that only what it uses is loaded. */
export type CliEnvironment = FileSystem.FileSystem | Path.Path | Terminal.Terminal | Reply | RootOption | Stdio

/** A failure that a person can act on. */
export interface CliFailure {
  readonly _tag: string
  readonly message: string
}

/** One command, ready to be run with the words that follow its name. */
export interface CliCommand {
  /** Without the program's name: `push`, `remote set`. */
  readonly name: string
  readonly run: (argv: ReadonlyArray<string>) => Effect.Effect<void, CliFailure, Exclude<CliEnvironment, RootOption>>
}

const config = CliConfig.make({ isCaseSensitive: true, autoCorrectLimit: 0, showBuiltIns: false })

/**
 * Makes a command of an `@effect/cli` definition.
 *
 * The library decodes and validates; the spelling of the command line is ours (`argv.ts`), so that its own built-in
 * options never swallow content and bad usage is said once.
 *
 * @example
 * const config = { json: jsonOption }
 * export const pull = cliCommand("pull", "Fetch what is new.", config, Command.make("pull", config, ({ json }) => ...))
 */
export const cliCommand = <Name extends string, A>(
  name: string,
  about: string,
  parts: Record<string, Options.Options<unknown> | Args.Args<unknown>>,
  command: Command.Command<Name, CliEnvironment, CliFailure, A>
): CliCommand => {
  const options = Object.values(parts).filter(Options.isOptions)
  const args = Object.values(parts).filter(Args.isArgs)
  const wrong = (reason: string) => new UsageError({ command: `ctx ${name}`, reason })
  return {
    name,
    run: (argv) =>
      Effect.gen(function* () {
        const line = yield* Either.mapLeft(readArgv(options.map(shapeOf), argv), wrong)
        if (line.help) {
          const reply = yield* Reply
          return yield* reply.send({ text: commandHelp({ name, about, options, args }) }, false)
        }
        const value = yield* decode(command, options, args, line).pipe(Effect.mapError(wrong))
        yield* Effect.provideService(command.handler(value), RootOption, line.root)
      })
  }
}

const decode = <Name extends string, R, E, A>(
  command: Command.Command<Name, R, E, A>,
  options: ReadonlyArray<Options.Options<unknown>>,
  args: ReadonlyArray<Args.Args<unknown>>,
  line: CommandLine
) =>
  Effect.gen(function* () {
    yield* countArguments(args, line.positionals)
    const words = [...Array.fromIterable(Command.getNames(command)), ...line.options, "--", ...line.positionals]
    const directive = yield* CommandDescriptor.parse(command.descriptor, words, config).pipe(
      Effect.catchAll((error) => Effect.flatMap(blame(options, line, error), Effect.fail))
    )
    if (directive._tag === "UserDefined") return directive.value
    return yield* Effect.fail(`unexpected ${line.positionals.join(" ")}`)
  })

const countArguments = (args: ReadonlyArray<Args.Args<unknown>>, given: ReadonlyArray<string>) => {
  const names = args.map((arg) => Option.getOrElse(Args.getIdentifier(arg), () => "").replace(/^<(.*)>$/, "$1"))
  const least = args.filter((arg) => Args.getMinSize(arg) > 0).length
  const most = args.reduce((sum, arg) => sum + Args.getMaxSize(arg), 0)
  if (given.length < least) return Effect.fail(`${names[given.length]} is missing`)
  return given.length > most ? Effect.fail(`unexpected argument ${given[args.length]}`) : Effect.void
}

/** The library does not say which option it could not read: ask each one alone. */
const blame = (
  options: ReadonlyArray<Options.Options<unknown>>,
  line: CommandLine,
  error: ValidationError.ValidationError
) =>
  Effect.gen(function* () {
    for (const option of options) {
      const [name = ""] = shapeOf(option).names
      const own = line.options.filter((word) => word === name || word.startsWith(`${name}=`))
      const alone = yield* Effect.either(Options.processCommandLine(option, own, config))
      if (Either.isRight(alone)) continue
      return own.length === 0 ? `${name} is missing` : `${name}: ${sentence(alone.left)}`
    }
    return sentence(error)
  })

const sentence = ({ error }: ValidationError.ValidationError): string =>
  paragraphs(error)
    .join(" ")
    .replace("is not a integer", "is not a whole number")
    .replace("Expected one of the following cases:", "want one of")

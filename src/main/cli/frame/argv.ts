import { Options, type Usage } from "@effect/cli"
import { Either, Option } from "effect"
import { nearest } from "./nearest.ts"

/** How an option is written. */
export interface OptionShape {
  /** With dashes, long name first. */
  readonly names: ReadonlyArray<string>
  /** What stands for its value in help; None: a flag. */
  readonly value: Option.Option<string>
  readonly repeated: boolean
}

/** A command line in the one spelling that `@effect/cli` reads without guessing. */
export interface CommandLine {
  readonly options: ReadonlyArray<string>
  readonly positionals: ReadonlyArray<string>
  readonly help: boolean
  /** `--root`, which every command takes. */
  readonly root: Option.Option<string>
}

export const shapeOf = (option: Options.Options<unknown>): OptionShape => shapeOfUsage(Options.getUsage(option), false)

const shapeOfUsage = (usage: Usage.Usage, repeated: boolean): OptionShape => {
  switch (usage._tag) {
    case "Named":
      return {
        names: usage.names.toSorted((one, other) => other.length - one.length),
        value: usage.acceptedValues,
        repeated
      }
    case "Optional":
      return shapeOfUsage(usage.usage, repeated)
    case "Repeated":
      return shapeOfUsage(usage.usage, true)
    default:
      return { names: [], value: Option.none(), repeated }
  }
}

export const rootShape: OptionShape = { names: ["--root"], value: Option.some("DIR"), repeated: false }
export const helpShape: OptionShape = { names: ["--help", "-h"], value: Option.none(), repeated: false }

/**
 * Reads a command line as git and getopt do: options and arguments in any order, `-ym text`, `-mtext`, `--message=text`,
 * `-m=text`, `--` before arguments that look like options, and `-` as an argument. The value of an option is taken as it
 * is, whatever it looks like. The last of an option that is given twice wins, unless it may be repeated.
 *
 * Left: what is wrong, in words.
 */
export const readArgv = (
  shapes: ReadonlyArray<OptionShape>,
  argv: ReadonlyArray<string>
): Either.Either<CommandLine, string> => {
  const all = [...shapes, rootShape, helpShape]
  const values = new Map<OptionShape, Array<string>>()
  const positionals: Array<string> = []
  const queue = [...argv]

  const give = (shape: OptionShape, name: string, attached: string | undefined): string | undefined => {
    if (Option.isNone(shape.value)) {
      if (attached !== undefined && attached !== "true" && attached !== "false") return `${name} takes no value`
      values.set(shape, [attached ?? "true"])
      return undefined
    }
    const value = attached ?? queue.shift()
    if (value === undefined) return `${name} needs a value (${name} ${shape.value.value})`
    // The list options of @effect/cli would take such a value for the option of that name.
    if (shape.repeated && value.startsWith("-")) return `${name} needs a value, not ${value}`
    values.set(shape, shape.repeated ? [...(values.get(shape) ?? []), value] : [value])
    return undefined
  }

  for (let token = queue.shift(); token !== undefined; token = queue.shift()) {
    if (token === "--") {
      positionals.push(...queue.splice(0))
    } else if (token === "-" || !token.startsWith("-")) {
      positionals.push(token)
    } else {
      const wrong = token.startsWith("--") ? readLong(all, token, give) : readShort(all, token, give)
      if (wrong !== undefined) return Either.left(wrong)
    }
  }

  const options = shapes.flatMap((shape) => spell(shape, values.get(shape) ?? []))
  return Either.right({
    options,
    positionals,
    help: values.get(helpShape)?.[0] === "true",
    root: Option.fromNullable(values.get(rootShape)?.[0])
  })
}

type Give = (shape: OptionShape, name: string, attached: string | undefined) => string | undefined

const readLong = (shapes: ReadonlyArray<OptionShape>, token: string, give: Give): string | undefined => {
  const equals = token.indexOf("=")
  const name = equals === -1 ? token : token.slice(0, equals)
  const shape = shapes.find(({ names }) => names.includes(name))
  return shape === undefined
    ? unknownOption(shapes, name)
    : give(shape, name, equals === -1 ? undefined : token.slice(equals + 1))
}

/** `-y`, `-ym text`, `-mtext`, `-m=text`. */
const readShort = (shapes: ReadonlyArray<OptionShape>, token: string, give: Give): string | undefined => {
  for (let index = 1; index < token.length; index++) {
    const name = `-${token[index]}`
    const shape = shapes.find(({ names }) => names.includes(name))
    if (shape === undefined) return unknownOption(shapes, index === 1 ? token : name)
    const rest = token.slice(index + 1)
    const attached = rest === "" ? undefined : rest.startsWith("=") ? rest.slice(1) : rest
    if (Option.isSome(shape.value) || rest.startsWith("=")) return give(shape, name, attached)
    const wrong = give(shape, name, undefined)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

const unknownOption = (shapes: ReadonlyArray<OptionShape>, name: string): string =>
  `unknown option ${name} (nearest: ${nearest(
    name,
    shapes.flatMap(({ names }) => names)
  )})`

const spell = (shape: OptionShape, values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const name = shape.names[0] ?? ""
  if (Option.isNone(shape.value)) return values[0] === "true" ? [name] : []
  // Joined by `=`, a value can not be taken for an option; an empty one is only read apart.
  return values.flatMap((value) => (shape.repeated || value === "" ? [name, value] : [`${name}=${value}`]))
}

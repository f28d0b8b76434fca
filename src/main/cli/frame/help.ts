import { Args, type HelpDoc, Options, type Span } from "@effect/cli"
import { Option } from "effect"
import { columns } from "../../render/columns.ts"
import { helpShape, type OptionShape, rootShape, shapeOf } from "./argv.ts"

/** The parts of a command's own definition that help shows. */
export interface HelpParts {
  readonly name: string
  readonly about: string
  readonly options: ReadonlyArray<Options.Options<unknown>>
  readonly args: ReadonlyArray<Args.Args<unknown>>
}

/** Help of one command: usage, what it does, arguments, options. */
export const commandHelp = ({ about, args, name, options }: HelpParts): string => {
  const argRows = args.map((arg) => [argName(arg), description(Args.getHelp(arg))] as const)
  const optionRows = [
    ...options.map((option) => [spelling(shapeOf(option)), description(Options.getHelp(option))] as const),
    [spelling(rootShape), "the project's folder (default: the nearest one above that holds .contexo/)"] as const,
    [spelling(helpShape), "show this"] as const
  ]
  return [
    `Usage: ${["ctx", name, ...args.map(argUsage), "[options]"].join(" ")}`,
    "",
    about,
    ...(argRows.length === 0 ? [] : ["", "Arguments:", ...columns(argRows)]),
    "",
    "Options:",
    ...columns(optionRows)
  ].join("\n")
}

const spelling = ({ names, value }: OptionShape): string => {
  const [long = "", short] = names
  const name = short === undefined ? `    ${long}` : `${short}, ${long}`
  return Option.isSome(value) ? `${name} ${value.value.replaceAll(" | ", "|")}` : name
}

const argName = (arg: Args.Args<unknown>): string =>
  Option.getOrElse(Args.getIdentifier(arg), () => "").replace(/^<(.*)>$/, "$1")

const argUsage = (arg: Args.Args<unknown>): string => (Args.getMinSize(arg) === 0 ? `[${argName(arg)}]` : argName(arg))

/** What we wrote in `withDescription`, without the sentences that @effect/cli puts around it. */
const description = (doc: HelpDoc.HelpDoc): string =>
  paragraphs(doc)
    .slice(1)
    .filter((text) => !/^(This (setting|option|argument) |A user-defined )/.test(text))
    .join(" ")

/** The paragraphs of a help document as plain text. */
export const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> => {
  switch (doc._tag) {
    case "Header":
    case "Paragraph":
      return [plain(doc.value)]
    case "Sequence":
      return [...paragraphs(doc.left), ...paragraphs(doc.right)]
    case "DescriptionList":
      return doc.definitions.flatMap(([, block]) => paragraphs(block))
    case "Enumeration":
      return doc.elements.flatMap(paragraphs)
    case "Empty":
      return []
  }
}

const plain = (span: Span.Span): string => {
  switch (span._tag) {
    case "Text":
    case "URI":
      return span.value
    case "Sequence":
      return plain(span.left) + plain(span.right)
    case "Highlight":
    case "Strong":
    case "Weak":
      return plain(span.value)
  }
}

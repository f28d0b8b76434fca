import { Effect } from "effect"
import { buildLine } from "../../Build.ts"
import { columns } from "../../render/columns.ts"
import { commands, type Listed } from "../commands.ts"
import { nearest } from "./nearest.ts"
import { Reply } from "./Reply.ts"
import { UsageError } from "./UsageError.ts"

/** Finds the command that a command line names, loads it, and runs it. */
export const dispatch = Effect.fn("ctx")(function* (argv: ReadonlyArray<string>) {
  const { root, rest } = leadingRoot(argv)
  const [first, second] = rest
  if (first === undefined || isHelp(first) || (first === "help" && second === undefined)) {
    return yield* show(listing("ctx <command>", overview))
  }
  if (first === "--version") return yield* show(buildLine)
  const words = first === "help" ? [...rest.slice(1), "--help"] : rest

  const name = words.slice(0, 2).join(" ")
  const command = commands.get(name) ?? commands.get(words[0] ?? "")
  if (command !== undefined) {
    const loaded = yield* Effect.promise(command.load)
    return yield* loaded.run([...root, ...words.slice(loaded.name.split(" ").length)])
  }

  const [group = "", verb] = words
  const inGroup = new Map([...commands].filter(([one]) => one.startsWith(`${group} `)))
  if (inGroup.size === 0)
    return yield* unknown(group, new Set([...commands.keys()].map((one) => one.split(" ")[0] ?? one)))
  if (verb === undefined) {
    return yield* new UsageError({
      command: `ctx ${group}`,
      reason: `say which: ${[...inGroup.keys()].join(", ")}`
    })
  }
  if (isHelp(verb)) return yield* show(listing(`ctx ${group} <command>`, inGroup))
  return yield* unknown(name, inGroup.keys())
})

/** What `ctx --help` lists: a group with more operations than fit there has one line. */
const overview: ReadonlyMap<string, Pick<Listed, "about">> = new Map<string, Pick<Listed, "about">>([
  ...[...commands].filter(([name]) => !name.startsWith("paging ")),
  ["paging <operation>", { about: "exact recall of what was said here; 'ctx paging --help' lists the operations" }]
])

const isHelp = (word: string): boolean => word === "--help" || word === "-h"

/** `--root` may stand before the command's name too. */
const leadingRoot = (argv: ReadonlyArray<string>) => {
  const [first] = argv
  const length = first === "--root" ? 2 : first?.startsWith("--root=") === true ? 1 : 0
  return { root: argv.slice(0, length), rest: argv.slice(length) }
}

const unknown = (name: string, candidates: Iterable<string>) =>
  new UsageError({
    command: "ctx",
    reason: name.startsWith("-")
      ? `unknown option ${name}`
      : `unknown command ${JSON.stringify(name)} (nearest: ctx ${nearest(name, candidates)})`
  })

const show = (text: string) => Effect.flatMap(Reply, (reply) => reply.send({ text }, false))

const listing = (usage: string, listed: ReadonlyMap<string, Pick<Listed, "about">>): string =>
  [
    `Usage: ${usage} [options]`,
    "",
    "A team's shared, versioned memory for AI coding agents.",
    "",
    "Commands:",
    ...columns([...listed].map(([name, { about }]) => [name, about] as const)),
    "",
    "'ctx <command> --help' shows a command's options. 'ctx --version' shows what runs."
  ].join("\n")

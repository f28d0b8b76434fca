import { Effect, Schema } from "effect"
import { type PagePath, slugOf, typeOf } from "../../model/page/PagePath.ts"
import { pageTypes } from "../../model/page/PageType.ts"
import { forAgentLine } from "../../model/text/Sanitise.ts"
import { compareCodePoints } from "../../model/text/Text.ts"
import { type Catalog, PageStore } from "../../services/page/PageStore.ts"
import { prompts } from "./Prompts.ts"
import { internalError, invalidParams } from "./Rpc.ts"

/** The parameters of `completion/complete`. */
export const CompleteParams = Schema.Struct({
  ref: Schema.Union(
    Schema.Struct({ type: Schema.Literal("ref/resource"), uri: Schema.String }),
    Schema.Struct({ type: Schema.Literal("ref/prompt"), name: Schema.String })
  ),
  argument: Schema.Struct({ name: Schema.String, value: Schema.String })
})

/** As many as the protocol allows in one answer. */
const most = 100

/** What an argument of a resource template or a prompt may be, as far as it is typed. Source: design.md section 5. */
export const complete = Effect.fn("complete")(function* ({ argument, ref }: typeof CompleteParams.Type) {
  const values =
    ref.type === "ref/resource" ? templateValues(ref.uri, argument.name) : promptValues(ref.name, argument.name)
  const fitting = matching(yield* values, argument.value)
  return {
    completion: { values: fitting.slice(0, most), total: fitting.length, hasMore: fitting.length > most }
  }
})

const promptValues = (name: string, argument: string) => {
  const prompt = prompts.find((one) => one.name === name)
  return prompt === undefined
    ? Effect.fail(invalidParams(`unknown prompt: ${forAgentLine(name.slice(0, 200))}`))
    : prompt.values(argument)
}

/** By the template's host, as clients write the whole of it in more than one way. */
const templateValues = (uri: string, argument: string) => {
  const host = /^ctx:\/\/([a-z]+)/.exec(uri)?.[1]
  const ofPages = fromCatalog[`${host}.${argument}`]
  if (host !== undefined && hosts.has(host)) {
    if (argument === "type") return Effect.succeed<ReadonlyArray<string>>(pageTypes)
    return ofPages === undefined ? Effect.succeed<ReadonlyArray<string>>([]) : Effect.map(catalog, ofPages)
  }
  return Effect.fail(invalidParams(`unknown resource: ${forAgentLine(uri.slice(0, 300))}`))
}

const hosts = new Set(["index", "tags", "wiki", "raw", "search"])

const catalog = Effect.flatMap(PageStore, (store) =>
  Effect.mapError(store.catalog, ({ message }) => internalError(`mcp: ${message}`))
)

const slugs = (catalog: Catalog, wanted: (path: PagePath) => boolean) => [
  ...new Set([...catalog.entries.keys()].filter(wanted).map(slugOf))
]

const fromCatalog: Readonly<Record<string, (catalog: Catalog) => ReadonlyArray<string>>> = {
  "wiki.slug": (catalog) => slugs(catalog, (path) => typeOf(path) !== "source"),
  "raw.session-id": (catalog) => slugs(catalog, (path) => typeOf(path) === "source"),
  "search.tag": ({ entries }) => [
    ...new Set([...entries.values()].flatMap(({ page }) => page.tags.map(forAgentLine).filter((tag) => tag !== "")))
  ]
}

/** Those that begin with what is typed, then those that hold it, whatever the case. */
const matching = (values: ReadonlyArray<string>, typed: string): ReadonlyArray<string> => {
  const wanted = typed.toLowerCase()
  const at = (value: string) => value.toLowerCase().indexOf(wanted)
  return values
    .filter((value) => at(value) !== -1)
    .toSorted((one, other) => Math.min(at(one), 1) - Math.min(at(other), 1) || compareCodePoints(one, other))
}

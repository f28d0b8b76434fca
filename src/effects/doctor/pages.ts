import { Path } from "@effect/platform"
import { Effect, Either, Option } from "effect"
import { renderIndex, renderTags } from "../../model/page/IndexFiles.ts"
import { readTextIfThere } from "../../services/files/Files.ts"
import { classify } from "../../services/page/PageNames.ts"
import { type Catalog, PageStore } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"
import { type Check, type Finding, note, ok, problem } from "./Finding.ts"

/** The pages on disk as far as they can be listed, and what is wrong with them. */
export const pageFindings = Effect.gen(function* () {
  const listed = yield* Effect.either((yield* PageStore).catalog)
  if (Either.isLeft(listed)) {
    return {
      catalog: Option.none<Catalog>(),
      findings: [problem("pages", listed.left.message, { path: listed.left.path })]
    }
  }
  const catalog = listed.right
  const findings = [
    ok("pages", `${catalog.entries.size} page(s)`),
    ...problemFindings(catalog),
    ...(yield* indexFindings(catalog))
  ]
  return { catalog: Option.some(catalog), findings }
})

const problemFindings = ({ entries, problems }: Catalog): ReadonlyArray<Finding> => {
  const paths = new Set<string>([...entries.keys(), ...problems.map(({ path }) => path)])
  const folded = new Map<string, number>()
  for (const path of paths) folded.set(path.toLowerCase(), (folded.get(path.toLowerCase()) ?? 0) + 1)
  const kindOf = (path: string): Check => {
    if (classify(path.slice(path.lastIndexOf("/") + 1)) === "Foreign") return "foreign-name"
    return (folded.get(path.toLowerCase()) ?? 0) > 1 ? "case-twin" : "malformed-page"
  }
  return problems.map(({ path, reason }) => problem(kindOf(path), reason, { path }))
}

/** Whether the generated files say what the pages do. */
const indexFindings = Effect.fnUntraced(function* (catalog: Catalog) {
  const path = yield* Path.Path
  const { contexo } = yield* Project
  const entries = [...catalog.entries.values()]
  const served = new Set<string>(catalog.entries.keys())
  const unserved = catalog.problems.filter((one) => !served.has(one.path))
  const expected = [
    { name: "index.md", text: renderIndex(entries, unserved) },
    { name: "tags.md", text: renderTags(entries) }
  ]
  const findings: Array<Finding> = []
  for (const { name, text } of expected) {
    const there = yield* Effect.either(readTextIfThere(path.join(contexo, name)))
    if (Either.isRight(there) && Option.contains(there.right, text)) continue
    const fix = "'ctx doctor --fix' writes it anew, and so does the next write or pull"
    findings.push(
      note("indexes", Either.isRight(there) && Option.isNone(there.right) ? "missing" : "out of date", {
        path: name,
        fix
      })
    )
  }
  return findings
})

import { Effect, Either, Option } from "effect"
import { linkReferences, listReferences, referenceName } from "../../model/page/Links.ts"
import { splitPage } from "../../model/frontmatter/Frontmatter.ts"
import type { PagePath } from "../../model/page/PagePath.ts"
import { decodeUtf8 } from "../../model/text/Utf8.ts"
import type { Catalog } from "../../services/page/PageStore.ts"
import { Project } from "../../services/project/Project.ts"
import { readBytes } from "../../services/page/StoreFile.ts"
import { isDead } from "../page/deadReferences.ts"
import { type Finding, note, ok } from "./Finding.ts"

/** References of pages to what is no page here: `related`, `sources`, and `[[slug]]` in bodies. */
export const linkFindings = Effect.fnUntraced(function* (catalog: Catalog) {
  // Also what is malformed is there.
  const paths = [...catalog.entries.keys(), ...catalog.problems.map(({ path }) => path)]
  const there = new Set(paths.map((path) => path.toLowerCase()))
  const found: Array<Finding> = []
  for (const [path, { page }] of catalog.entries) {
    const references = [...listReferences(page), ...(yield* linksIn(path))]
    const dead = references.filter((one) => isDead(one, there))
    if (dead.length === 0) continue
    found.push(
      note("links", `no page here: ${dead.map(referenceName).join(", ")}`, {
        path,
        fix: "write the page, 'ctx pull', or mend the reference"
      })
    )
  }
  return [...found, ok("links", `${catalog.entries.size} page(s) looked through, ${found.length} with dead references`)]
})

/** A file that cannot be read is another check's finding. */
const linksIn = Effect.fnUntraced(function* (path: PagePath) {
  const { contexo } = yield* Project
  const bytes = yield* Effect.either(readBytes(contexo, path))
  const text = Either.isRight(bytes) ? Option.flatMap(bytes.right, decodeUtf8) : Option.none<string>()
  return Option.isSome(text) && text.value.includes("[[") ? linkReferences(splitPage(text.value).body) : []
})

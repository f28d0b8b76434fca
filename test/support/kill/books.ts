import { Data } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parsePage } from "../../../src/model/page/Page.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"

/** A promise that was not kept. The seed replays the choices that led there. */
export class Broken extends Data.TaggedError("Broken")<{
  readonly promise: string
  readonly detail: unknown
}> {
  override get message() {
    const short = (_: string, value: unknown) =>
      typeof value === "string" && value.length > 2_000 ? `${value.slice(0, 2_000)}...` : value
    return `${this.promise}: ${JSON.stringify(this.detail, short, 2)}`
  }
}

/** Fails where a promise is not kept. */
export const keep = (promise: string, kept: boolean, detail: unknown = {}): void => {
  if (!kept) throw new Broken({ promise, detail })
}

const folder = "wiki/concepts"

export const pathOf = (slug: string): string => `${folder}/${slug}.md`

/** What a page's file holds below its frontmatter, blanks around it aside. Throws where the file is no whole page. */
export const bodyOf = (root: string, slug: string): string => {
  const text = textOf(root, slug)
  const page = parsePage(PagePath.make(pathOf(slug)), text)
  if (page._tag === "Left") throw new Broken({ promise: "every page on disk is whole", detail: page.left.message })
  return page.right.body.trim()
}

export const textOf = (root: string, slug: string): string => readFileSync(join(root, ".contexo", pathOf(slug)), "utf8")

/** The slugs of the pages on disk. Anything else must be a temporary file that no listing shows. */
export const slugsOn = (root: string): ReadonlyArray<string> => {
  const names = readdirSync(join(root, ".contexo", folder))
  const strange = names.filter((name) => !name.endsWith(".md") && !/^\.ctx-\d+-[0-9a-f]{16}\.tmp$/.test(name))
  keep("only pages and temporary files lie in a page folder", strange.length === 0, strange)
  return names.filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -".md".length))
}

/** `state.json` as it is; undefined where there is none yet. Throws where it does not parse. */
export const recordedOn = (root: string): Readonly<Record<string, string>> => {
  const text = (() => {
    try {
      return readFileSync(join(root, ".contexo", ".sync", "state.json"), "utf8")
    } catch {
      return "{}"
    }
  })()
  const state = JSON.parse(text)
  return state.page_shas ?? {}
}

/** The slugs that `index.md` lists. */
export const indexedOn = (root: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, ".contexo", "index.md"), "utf8").matchAll(/\]\(wiki\/concepts\/([^)]+)\.md\)/g)].map(
    ([, slug]) => slug ?? ""
  )

import { describe, expect, it } from "@effect/vitest"
import { newsOf } from "../../../src/model/sync/ServerNews.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"

const [a, b] = [PagePath.make("wiki/concepts/A.md"), PagePath.make("wiki/entities/b.md")]
const wrote = (sha: string, ...paths: ReadonlyArray<PagePath>) => ({ sha, paths, deleted: [] })
const deleted = (sha: string, ...paths: ReadonlyArray<PagePath>) => ({ sha, paths: [], deleted: paths })

describe("of what the server's commits say, news is", () => {
  it("a page whose newest commit is not the recorded one, by its identity", () => {
    expect(newsOf([wrote("2", a)], new Map([[a, "1"]]))).toEqual({
      pages: new Set(["wiki/concepts/a.md"]),
      comeOrGone: false
    })
  })

  it("a page that is not known here, or that is gone there: they came and went", () => {
    expect(newsOf([wrote("2", a)], new Map())).toMatchObject({ comeOrGone: true })
    expect(newsOf([deleted("2", a)], new Map([[a, "1"]]))).toMatchObject({ comeOrGone: true })
  })

  it("not what this clone pushed or pulled itself, a deletion among it", () => {
    const none = { pages: new Set(), comeOrGone: false }
    expect(newsOf([wrote("2", a), wrote("3", a, b)], new Map([a, b].map((path) => [path, "3"])))).toEqual(none)
    expect(newsOf([wrote("2", a), deleted("3", a)], new Map())).toEqual(none)
  })
})

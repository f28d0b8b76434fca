import { describe, expect, it } from "@effect/vitest"
import { unseenIn } from "../../../src/model/page/Unseen.ts"
import { pagePath } from "../../../src/model/page/PagePath.ts"
import { Slug } from "../../../src/model/page/Slug.ts"

const [x, y] = [pagePath("concept", Slug.make("x")), pagePath("concept", Slug.make("y"))]

/** `x y` writes two pages, `-x` deletes one. Shas are 0, 1, 2 ... */
const news = (log: ReadonlyArray<string>, recorded: Readonly<Record<string, string>>) => {
  const commits = log.map((pages, index) => {
    const names = pages.split(" ")
    const path = (name: string) => (name.endsWith("x") ? x : y)
    return {
      sha: `${index}`,
      paths: names.filter((name) => !name.startsWith("-")).map(path),
      deleted: names.filter((name) => name.startsWith("-")).map(path)
    }
  })
  const known = new Map(Object.entries(recorded).map(([name, sha]) => [name === "x" ? x : y, sha]))
  return unseenIn(commits, known).map(({ sha }) => sha)
}

describe("what commits since the last pull brought that is not known here", () => {
  it.each<[string, ReadonlyArray<string>, Record<string, string>, ReadonlyArray<string>]>([
    ["nothing, where there are none", [], { x: "old" }, []],
    ["all, to who knows nothing", ["x", "y"], {}, ["0", "1"]],
    ["not what was pushed from here, one push upon another", ["x", "x y"], { x: "1", y: "1" }, []],
    ["what another pushed before it", ["y", "x"], { x: "1", y: "old" }, ["0"]],
    ["and after it", ["x", "y"], { x: "0" }, ["1"]],
    ["and of the same page after it", ["x", "x"], { x: "0" }, ["1"]],
    ["not what was merged into a push", ["x", "x"], { x: "1" }, []],
    ["a commit of which only a part is known", ["x y"], { x: "0" }, ["0"]],
    ["a deletion of a page that is here", ["-x"], { x: "old" }, ["0"]],
    ["also right after a push of it", ["x", "-x"], { x: "0" }, ["1"]],
    ["not one that is known", ["-x"], {}, []],
    ["nothing of a page that was pushed and deleted from here, or came and went elsewhere", ["x", "-x"], {}, []],
    ["a page that was deleted and came back", ["-x", "x"], {}, ["1"]],
    ["not one of a page that was created again", ["-x", "x"], { x: "1" }, []]
  ])("%s", (_, log, recorded, expected) => expect(news(log, recorded)).toEqual(expected))
})

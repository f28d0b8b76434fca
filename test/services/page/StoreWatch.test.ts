import { NodeContext } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fileStamp, pageNames, sameFile, sameNames } from "../../../src/services/page/StoreWatch.ts"
import { freshPlace } from "../../support/place.ts"

const soon = Date.now()
const later = soon + 3_600_000

const page = "wiki/concepts/a.md"

describe("a look at the store", () => {
  it.scoped("shows pages that came or went, and no others", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const look = (now: number, before?: ReturnType<typeof pageNames>) => pageNames(place.folder, now, before)
      const empty = look(soon)
      yield* place.write(page, "a")
      const one = look(soon, empty)
      expect(sameNames(empty, one)).toBe(false)
      yield* place.write("wiki/concepts/.tmp-1", "x")
      yield* place.write("wiki/concepts/not a page.md", "x")
      expect(sameNames(one, look(soon, one))).toBe(true)
      yield* place.remove("wiki/concepts")
      expect(sameNames(one, look(later, one))).toBe(false)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("within the time that a file system's clock is coarse sees what came after it at the same time", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write(page, "a")
      const first = pageNames(place.folder, soon)
      for (let n = 0; n < 20; n++) yield* place.write(`wiki/concepts/b-${n}.md`, "b")
      expect(sameNames(first, pageNames(place.folder, soon, first))).toBe(false)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("tells a file that was replaced, edited or removed from one that was not", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      const stamp = () => fileStamp(place.folder, page)
      const none = stamp()
      expect(sameFile(none, stamp())).toBe(true)
      yield* place.write(page, "a")
      const written = stamp()
      expect(sameFile(none, written)).toBe(false)
      expect(sameFile(written, stamp())).toBe(true)
      yield* place.write(page, "ab")
      expect(sameFile(written, stamp())).toBe(false)
      yield* place.remove(page)
      expect(sameFile(none, stamp())).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("A14: follows no link out of the store", () =>
    Effect.gen(function* () {
      const place = yield* freshPlace
      yield* place.write("elsewhere/a.md", "a")
      yield* place.makeFolder("store/wiki")
      yield* place.link(place.at("elsewhere"), "store/wiki/concepts")
      expect(fileStamp(place.at("store"), page)).toBeUndefined()
      const empty = pageNames(place.at("store"), later)
      yield* place.write("elsewhere/b.md", "b")
      expect(sameNames(empty, pageNames(place.at("store"), later, empty))).toBe(true)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})

import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { type HeldPage, landing } from "../../../src/model/sync/Landing.ts"
import { PagePath } from "../../../src/model/page/PagePath.ts"
import { Sha } from "../../../src/model/page/Sha.ts"

const path = PagePath.make("wiki/concepts/auth-flow.md")
const twin = PagePath.make("wiki/concepts/Auth-Flow.md")
const head = Sha.make("a".repeat(40))
const stale = Sha.make("b".repeat(40))
const nothing = Option.none<HeldPage>()
const lives = Option.some({ path, sha: head, hash: Option.some("H") })
const deleted = Option.some({ path, sha: head, hash: Option.none() })
const offer = (hash: string | undefined, parent?: Sha, name = path) => ({
  path: name,
  hash: Option.fromNullable(hash),
  parent: Option.fromNullable(parent)
})

describe("landing", () => {
  it.each([
    ["a new page", nothing, offer("H"), "Lands"],
    ["an edit of a page that the server never had", nothing, offer("H", stale), "Conflicts"],
    ["a deletion of what never was", nothing, offer(undefined, stale), "Unchanged"],
    ["an edit of the head", lives, offer("N", head), "Lands"],
    ["a stale edit", lives, offer("N", stale), "Conflicts"],
    ["a creation where the page exists", lives, offer("N"), "Conflicts"],
    ["equal content without a parent", lives, offer("H"), "Unchanged"],
    ["equal content with a stale parent", lives, offer("H", stale), "Unchanged"],
    ["a deletion of the head", lives, offer(undefined, head), "Lands"],
    ["a stale deletion", lives, offer(undefined, stale), "Conflicts"],
    ["a deletion without a parent", lives, offer(undefined), "Conflicts"],
    ["A16: a case twin", lives, offer("N", undefined, twin), "Conflicts"],
    ["A16: a case twin with the head as parent", lives, offer("N", head, twin), "Conflicts"],
    ["A16: a case twin with equal content", lives, offer("H", head, twin), "Conflicts"],
    ["a creation after a deletion", deleted, offer("N"), "Lands"],
    ["a creation on top of the deletion", deleted, offer("N", head), "Lands"],
    ["an edit from before the deletion", deleted, offer("N", stale), "Conflicts"],
    ["a second deletion", deleted, offer(undefined, stale), "Unchanged"],
    ["a case twin of a deleted page", deleted, offer("N", undefined, twin), "Lands"]
  ] as const)("%s", (_, held, offered, expected) => {
    expect(landing(held, offered)._tag).toBe(expected)
  })
})

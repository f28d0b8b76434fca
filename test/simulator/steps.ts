import { Effect, Option } from "effect"
import { pagePath, type PagePath } from "../../src/model/page/PagePath.ts"
import { Sha } from "../../src/model/page/Sha.ts"
import { Slug } from "../../src/model/page/Slug.ts"
import { type Acting, bury, edit, type Ended, fetch, read, share, write } from "./acts.ts"
import { pagesOn } from "./Clone.ts"
import type { Dice } from "./dice.ts"
import type { History } from "./History.ts"
import { awaiting } from "./inspect.ts"
import { bodyOf, editSection, fact, fieldsOf, freshBody, headOf, markersIn, sectionNames, union } from "./texts.ts"

/** A step that a user takes, drawn from the dice. */
export interface Step {
  readonly name: string
  readonly run: Effect.Effect<Ended>
}

export interface Drawing extends Acting {
  readonly dice: Dice
  readonly history: History
  /** A marker that was never used. */
  readonly marker: () => string
}

/** Few pages, so that users meet. */
const pool: readonly [PagePath, ...ReadonlyArray<PagePath>] = [
  pagePath("concept", Slug.make("retry-rule")),
  pagePath("concept", Slug.make("naming")),
  pagePath("entity", Slug.make("billing")),
  pagePath("source", Slug.make("session-one"))
]

export const drawStep = (drawing: Drawing): Step =>
  drawing.dice.weighted<(drawing: Drawing) => Step>([
    [30, writeStep],
    [14, editStep],
    [3, removeStep],
    [24, pushStep],
    [18, pullStep],
    [12, mergeStep],
    [4, buryStep]
  ])(drawing)

/** What may happen on the same machine, or at another user's, while a request is on its way. */
export const drawMeanwhile = (drawing: Drawing): Step =>
  drawing.dice.weighted<(drawing: Drawing) => Step>([
    [4, writeStep],
    [3, editStep],
    [1, removeStep],
    [4, pushStep],
    [3, pullStep]
  ])(drawing)

const writeStep = (drawing: Drawing): Step => {
  const { dice, marker, process } = drawing
  const path = dice.pick(pool)
  const how = dice.weighted([
    [6, "section"],
    [2, "beside"],
    [2, "stamps"],
    [2, "rewrite"],
    [2, "fields"]
  ])
  const section = dice.pick(sectionNames)
  const mark = marker()
  const again = dice.chance(0.7)
  const agent = dice.pick(["claude", "codex"])
  const run = Effect.gen(function* () {
    const known = again ? undefined : process.seen.get(path)
    const text = known ?? (yield* read(drawing, path))
    if (text === undefined) {
      return yield* write(drawing, path, { body: freshBody(mark, section), agent }, new Set([mark]))
    }
    const body = bodyOf(text)
    const { tags } = fieldsOf(path, text)
    const kept = markersIn(headOf(text))
    if (how === "stamps") return yield* write(drawing, path, { body, agent }, markersIn(text))
    if (how === "fields") {
      const page = { body, agent, tags: [...tags, mark], reasoning_summary: `because of ${mark}` }
      return yield* write(drawing, path, page, markersIn(body + [...tags, mark].join(" ")))
    }
    const next = how === "rewrite" ? freshBody(mark, section) : editSection(body, section, mark, how === "section")
    const expected = new Set([...kept, ...markersIn(next)])
    return yield* write(drawing, path, { body: next, agent }, expected)
  })
  return { name: `write ${path} (${how}, ${section}, ${mark}${again ? "" : ", unread"})`, run }
}

const editStep = (drawing: Drawing): Step => {
  const { clone, dice, marker } = drawing
  const path = dice.pick(pool)
  const section = dice.pick(sectionNames)
  const mark = marker()
  const how = dice.weighted([
    [6, "section"],
    [1, "line ends"],
    [1, "byte order mark"],
    [1, "invisible characters"],
    [1, "blanks"]
  ])
  const run = Effect.sync(() => {
    const text = pagesOn(clone).get(path)
    return edit(drawing, path, text === undefined ? byHand(mark) : edited(text, how, section, mark, dice.chance(0.5)))
  })
  return { name: `edit ${path} (${how}, ${section}, ${mark})`, run }
}

const byHand = (mark: string): string =>
  `---\ntype: concept\nauthor: hand\ncreated: 2026-01-02T03:04:05Z\nupdated: 2026-01-02T03:04:05Z\ntags: []\n---\n\n## Alpha\n\n${fact(mark)}\n`

const edited = (text: string, how: string, section: string, mark: string, replace: boolean): string => {
  switch (how) {
    case "line ends":
      return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text.replaceAll("\n", "\r\n")
    case "byte order mark":
      return text.startsWith("\ufeff") ? text.slice(1) : `\ufeff${text}`
    case "blanks":
      return `${text}\n`
    default: {
      const next = headOf(text) + editSection(bodyOf(text), section, mark, replace)
      return how === "section" ? next : next.replace(fact(mark), `\u200b${fact(mark)}\u202e`)
    }
  }
}

const removeStep = (drawing: Drawing): Step => {
  const path = drawing.dice.pick(pool)
  return { name: `remove ${path} by hand`, run: Effect.sync(() => edit(drawing, path, undefined)) }
}

const pushStep = (drawing: Drawing): Step => {
  const how = drawing.dice.weighted([
    [10, "plain"],
    [5, "auto-merge"],
    [1, "accept mine"]
  ])
  const options = { autoMerge: how === "auto-merge", acceptMine: how === "accept mine" }
  return { name: `push (${how})`, run: share(drawing, options) }
}

const pullStep = (drawing: Drawing): Step => {
  const full = drawing.dice.chance(0.2)
  return { name: full ? "pull --full" : "pull", run: fetch(drawing, full) }
}

const mergeStep = (drawing: Drawing): Step => {
  const { clone, dice, marker } = drawing
  const [path] = [...awaiting(clone).keys()]
  if (path === undefined) return pushStep(drawing)
  const choose = dice.chance(0.2)
  return { name: `merge ${path}${choose ? ", mine over theirs" : ""}`, run: merge(drawing, path, marker(), choose) }
}

/** Does what a directive asks: one text that contains both sides, or that leaves theirs out on purpose. */
export const merge = Effect.fnUntraced(function* (drawing: Drawing, path: PagePath, mark: string, choose: boolean) {
  const { clone, process } = drawing
  const theirs = Option.getOrElse(Option.flatten(Option.fromNullable(awaiting(clone).get(path))), () => "")
  const mine = process.seen.get(path) ?? (yield* read(drawing, path))
  if (mine === undefined) return { word: "nothing to merge" } satisfies Ended
  const both = choose ? bodyOf(mine) : union(bodyOf(mine), bodyOf(theirs))
  const body = editSection(both, "Alpha", mark, false)
  const [one, other] = [fieldsOf(path, mine), fieldsOf(path, theirs)]
  const tags = [...new Set([...one.tags, ...(choose ? [] : other.tags)])]
  const summaries = [...Option.toArray(one.summary), ...(choose ? [] : Option.toArray(other.summary))]
  const summary = [...new Set(summaries)].join(" and ")
  const expected = markersIn([body, ...tags, summary].join(" "))
  return yield* write(
    drawing,
    path,
    { body, tags, ...(summary === "" ? {} : { reasoning_summary: summary }) },
    expected
  )
})

const buryStep = (drawing: Drawing): Step => {
  const { dice, history, marker } = drawing
  const path = dice.pick(pool)
  const head = history.heads.get(path)
  const run: Effect.Effect<Ended> =
    head === undefined || head.content === null
      ? Effect.succeed({ word: "nothing there" })
      : bury(drawing, path, Sha.make(head.sha), marker())
  return { name: `delete ${path} on the server`, run }
}

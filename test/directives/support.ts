import { readFileSync } from "node:fs"
import { PagePath } from "../../src/model/page/PagePath.ts"
import { Sha } from "../../src/model/page/Sha.ts"

export const ancestor = Sha.make("9f2c1ab0d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8")
export const server = Sha.make("4d7e0b3c1a2f3e4d5c6b7a8990a1b2c3d4e5f607")
export const stripe = PagePath.make("wiki/concepts/stripe-subscription.md")

/** A golden file holds the whole block and a final line break. */
export const golden = (name: string): string =>
  readFileSync(new URL(`golden/${name}.txt`, import.meta.url), "utf8").replace(/\n$/, "")

const matches = (line: string, literal: string): boolean => {
  const [before = "", after] = literal.split("…")
  return after === undefined
    ? line === literal
    : line.startsWith(before) && line.endsWith(after) && line.length > literal.length
}

/** The literal lines that do not occur, as whole lines and in this order, in the text. `…` stands for any words. */
export const missing = (text: string, literals: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = text.split("\n")
  let from = 0
  return literals.filter((literal) => {
    const at = lines.findIndex((line, index) => index >= from && matches(line, literal))
    if (at !== -1) from = at + 1
    return at === -1
  })
}

import { removeUnsafe } from "../text/Sanitise.ts"
import { isCommon } from "./Common.ts"
import { eachTerm } from "./Words.ts"

/** A word that a query asks for. */
export interface QueryWord {
  readonly term: string
  /** Its place among the query's words. */
  readonly position: number
  /** Whether it says little: `the`, in a query that has other words. */
  readonly common: boolean
  /** Whether its parts are words of the query too. */
  readonly whole: boolean
}

/** A longer query is cut: what it is about stands at its beginning. */
const longestQuery = 4_000
const mostWords = 64

/** The words of a query, in their order, each once. Nothing in it is grammar. */
export const queryWords = (query: string): ReadonlyArray<QueryWord> => {
  const text = removeUnsafe(query.slice(0, longestQuery))
  const seen = new Map<string, { readonly position: number; readonly whole: boolean }>()
  let last = -1
  eachTerm(text, (term, position) => {
    // A whole comes behind its parts, at the place of the first.
    if (!seen.has(term)) seen.set(term, { position, whole: position <= last })
    last = Math.max(last, position)
  })
  const words = [...seen].map(([term, { position, whole }]) => ({ term, position, whole, common: isCommon(term) }))
  const telling = words.some(({ common }) => !common)
  return words
    .map((word) => ({ ...word, common: word.common && telling }))
    .toSorted((one, other) => one.position - other.position)
    .slice(0, mostWords)
}

/**
 * The candidate with the fewest edits (insert, delete, replace, swap of neighbours); the first of equals. One that begins
 * with the word counts as one edit away.
 */
export const nearest = (word: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const [from, to] = [word.toLowerCase(), candidate.toLowerCase()]
    const edits = Math.min(distance(from, to), to.startsWith(from) ? 1 : Number.POSITIVE_INFINITY)
    if (edits < fewest) {
      fewest = edits
      best = candidate
    }
  }
  return best
}

const distance = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? at(beforeLast, j - 2) + 1 : replaced
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return at(last, to.length)
}

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.POSITIVE_INFINITY

/**
 * How many typing mistakes part two words: a letter too many, missing, wrong, or two neighbours swapped. More than `most`
 * is `most + 1`.
 */
export const typos = (one: string, other: string, most: number): number => {
  const [a, b] = [[...one], [...other]]
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const now = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1)
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1)
      }
      now.push(least)
    }
    if (Math.min(...now) > most) return most + 1
    ;[beforeLast, last] = [last, now]
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

/** How many mistakes a word may hold: none in a short one, two in a long one. */
export const forgiven = (word: string): 0 | 1 | 2 => {
  const { length } = [...word]
  return length < 4 ? 0 : length < 8 ? 1 : 2
}

/**
 * Pieces of a word of which one at least stands whole in every word that is `most` mistakes away: a mistake touches two of
 * them at worst.
 */
export const piecesOf = (word: string, most: number): ReadonlyArray<string> => {
  const letters = [...word]
  const count = Math.min(letters.length, 2 * most + 1)
  return Array.from({ length: count }, (_, index) =>
    letters
      .slice(Math.floor((index * letters.length) / count), Math.floor(((index + 1) * letters.length) / count))
      .join("")
  )
}

import { Either } from "effect"

/**
 * The numbers that a person picked: `1,2,5-7`, in any order and with blanks, or `all`. Left says what is wrong.
 *
 * @param offered The numbers there are.
 * @returns Ascending, each once.
 *
 * @example parseSelection("1,2,5-7", [1, 2, 3, 4, 5, 6, 7, 8]) // Either.right([1, 2, 5, 6, 7])
 */
export const parseSelection = (
  text: string,
  offered: ReadonlyArray<number>
): Either.Either<ReadonlyArray<number>, string> => {
  if (/^\s*all\s*$/i.test(text)) return Either.right(offered)
  const numbers = new Set(offered)
  const picked = new Set<number>()
  const parts = text
    .replaceAll(/\s*-\s*/g, "-")
    .split(/[,\s]+/)
    .filter((part) => part !== "")
  if (parts.length === 0) return Either.left("nothing is selected: say numbers, ranges like 5-7, or 'all'")
  for (const part of parts) {
    const range = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part)
    if (range === null) return Either.left(`${JSON.stringify(part)} is no number, no range like 5-7, and not 'all'`)
    const from = Number(range[1])
    const to = Number(range[2] ?? range[1])
    if (to < from) return Either.left(`${part} runs backwards`)
    const inside = offered.filter((number) => number >= from && number <= to)
    if (!numbers.has(from) || !numbers.has(to)) {
      return Either.left(
        `there is no ${numbers.has(from) ? to : from}: the list goes from ${offered[0] ?? 0} to ${offered.at(-1) ?? 0}`
      )
    }
    for (const number of inside) picked.add(number)
  }
  return Either.right(offered.filter((number) => picked.has(number)))
}

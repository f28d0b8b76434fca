/**
 * Which places of a new order hold what was moved: as few as there can be, so that all others stand in the order in which
 * they stood.
 *
 * @param origins For each place, where its item stood before; undefined: it is new, and has not moved.
 *
 * @example movedPlaces([0, 2, 1, undefined, 3]) // new Set([1])
 */
export const movedPlaces = (origins: ReadonlyArray<number | undefined>): ReadonlySet<number> => {
  if (isOrdered(origins)) return new Set()
  // Patience sorting: `ends[n]` is the place where the best increasing run of n + 1 items ends.
  const ends: Array<number> = []
  const before: Array<number | undefined> = []
  for (const [place, origin] of origins.entries()) {
    if (origin === undefined) continue
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((origins[ends[middle] ?? -1] ?? -1) < origin) low = middle + 1
      else high = middle
    }
    before[place] = ends[low - 1]
    ends[low] = place
  }
  const stayed = new Set<number>()
  for (let place = ends.at(-1); place !== undefined; place = before[place]) stayed.add(place)
  return new Set(origins.flatMap((origin, place) => (origin === undefined || stayed.has(place) ? [] : [place])))
}

const isOrdered = (origins: ReadonlyArray<number | undefined>): boolean => {
  let last = -1
  return origins.every((origin) => {
    if (origin === undefined) return true
    const after = origin > last
    last = origin
    return after
  })
}

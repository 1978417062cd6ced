/**
 * Suggests a known name for an unknown one.
 */

/** The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let row: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      // Every row has one element more than `b`.
      const least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same)
      next.push(isSwapped ? Math.min(least, before[j - 2]! + 1) : least)
    }
    before = row
    row = next
  }
  return row[b.length]!
}

const fold = (name: string): string => name.toLowerCase().replaceAll("_", "")

/** The length from which a name is not compared with others. No name of the service is half as long. */
const longest = 100

/**
 * The most similar name: at most a third of its characters may differ, ignoring case and `_`. A name of more than 100
 * characters has none.
 */
export const find = (name: string, names: Iterable<string>): string | undefined => {
  if (name.length > longest) return undefined
  const wanted = fold(name)
  let best: string | undefined
  let bound = Math.floor(wanted.length / 3) + 1
  for (const candidate of names) {
    const folded = fold(candidate)
    if (Math.abs(folded.length - wanted.length) >= bound) continue
    const away = distance(wanted, folded)
    if (away < bound) [best, bound] = [candidate, away]
  }
  return best
}

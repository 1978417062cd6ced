/**
 * The name that was probably meant by one that does not exist.
 */

/** How many characters must be put in, taken out or replaced to make one text of another. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      // Both rows are as long as `b` and one more.
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same))
    }
    row = next
  }
  return row[b.length]!
}

const fold = (name: string): string => name.toLowerCase().replaceAll("_", "")

/** The name most like a given one, if any is alike: a third of its characters may differ, case and `_` aside. */
export const find = (name: string, names: Iterable<string>): string | undefined => {
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

/**
 * Numbers inside texts, read without patterns: every row that is read has some.
 */

/** The number that the digits from one place to another write; NaN when they are not all digits. */
export const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

/**
 * Reads numbers inside texts, without patterns, because this runs for every row.
 */

/** The number of the digits from one index to another; NaN where one is not a digit. */
export const digits = (text: string, from: number, to: number): number => {
  let value = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

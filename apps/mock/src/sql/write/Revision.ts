/**
 * The states of a row, counted from a number of its own: a row that is made again under the key of one that is gone
 * begins elsewhere, so that no state of the one is taken for a state of the other.
 */

const mix = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

const high = 2 ** 20

/** The state in which the rows of a change begin; one of 2 to the power of 52, which leaves room to count. */
export const first = (change: string): number => {
  let one = 0x9e3779b9
  let other = 0x811c9dc5
  for (let index = 0; index < change.length; index++) {
    const code = change.charCodeAt(index)
    one = Math.imul(one ^ code, 0x5f356495)
    other = Math.imul(other ^ code, 0x01000193)
  }
  return (mix(one) % high) * 2 ** 32 + mix(other) + 1
}

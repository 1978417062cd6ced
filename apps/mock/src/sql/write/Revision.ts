/**
 * Computes the first revision of new rows. A row that is created again under the key of a deleted row starts at another
 * number, so that an entity tag of the deleted row never matches the new one.
 */

const mix = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 0
}

const high = 2 ** 20

/** The first revision of the rows of a change: one of 2^52 numbers, from which revisions are counted up. */
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

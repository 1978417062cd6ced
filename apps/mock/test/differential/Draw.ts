/** Draws random values: the same seed gives the same values. */
import * as fc from "effect/FastCheck"
import * as Utils from "effect/Utils"

export interface Draw {
  readonly of: <A>(arbitrary: fc.Arbitrary<A>) => A
  readonly one: <A>(items: ReadonlyArray<A>) => A
  /** At most `most` of the items, each once. */
  readonly some: <A>(items: ReadonlyArray<A>, most: number) => ReadonlyArray<A>
  /** An integer from 0. */
  readonly upTo: (most: number) => number
  readonly chance: (percent: number) => boolean
}

export const fromSeed = (seed: number): Draw => {
  const random = new Utils.PCGRandom(seed)
  const upTo: Draw["upTo"] = (most) => random.integer(most + 1)
  const of: Draw["of"] = (arbitrary) => {
    // As many items as were requested.
    const [value] = fc.sample(arbitrary, { numRuns: 1, seed: upTo(2 ** 31 - 2) }) as [never]
    return value
  }
  return {
    of,
    one: (items) => of(fc.constantFrom(...items)),
    some: (items, most) => of(fc.shuffledSubarray([...items], { maxLength: Math.min(most, items.length) })),
    upTo,
    chance: (percent) => upTo(99) < percent
  }
}

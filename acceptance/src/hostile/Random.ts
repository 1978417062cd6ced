/**
 * Makes random numbers, words and orders from a seed, so that a run can be repeated.
 */
import { PCGRandom } from "effect/Utils"

export interface Random {
  /** A word of letters and digits, such as `w3f9a2c`. */
  readonly word: () => string
  /** A copy of the values in a random order. */
  readonly shuffle: <A>(values: ReadonlyArray<A>) => ReadonlyArray<A>
}

/** The random values of a seed. */
export const make = (seed: number): Random => {
  const generator = new PCGRandom(seed)
  return {
    word: () => `w${generator.integer(2 ** 31).toString(36)}`,
    shuffle: (values) =>
      values
        .map((value) => ({ value, rank: generator.number() }))
        .toSorted((one, other) => one.rank - other.rank)
        .map(({ value }) => value)
  }
}

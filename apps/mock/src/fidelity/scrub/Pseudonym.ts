/**
 * Makes pseudonyms of values: equal values have equal pseudonyms under a key, and without the key a pseudonym
 * does not lead back to its value.
 */
import type { Faker, Randomizer } from "@faker-js/faker"
import { createHmac } from "node:crypto"

export interface Pseudonyms {
  readonly hash: (value: string) => string
  readonly name: (value: string) => string
  readonly email: (value: string) => string
  readonly phone: (value: string) => string
  /** Words of the same length. */
  readonly text: (value: string) => string
  /** A number that differs by at most `percent`; an integer stays one. */
  readonly near: (value: number, percent: number) => number
  /** An integer with as many digits. */
  readonly digits: (value: number) => number
}

/** The length of a hash: 20 characters of 5 bits, as long as an id. */
const hashLength = 20
const alphabet = "abcdefghijklmnopqrstuvwxyz234567"

/** The length of the words that a long text repeats. */
const phraseLength = 400

const decimals = (value: number): number => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0

/** A generator of random numbers (sfc32) that costs little to seed: the own one of faker computes 624 numbers first. */
const generator = (): Randomizer => {
  let [a, b, c, count] = [0, 0, 0, 0]
  return {
    seed: (seed) => {
      const [one = 0, two = 0, three = 0] = typeof seed === "number" ? [seed] : seed
      ;[a, b, c, count] = [one, two, three, 1]
    },
    next: () => {
      const sum = (a + b + count) | 0
      count = (count + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (((c << 21) | (c >>> 11)) + sum) | 0
      return (sum >>> 0) / 2 ** 32
    }
  }
}

type FakerClass = new (options: { readonly locale: unknown; readonly randomizer: Randomizer }) => Faker

/** Loads the generator of names and texts, with one of the 70 locales. */
const load = async (): Promise<Faker> => {
  const { faker } = await import("@faker-js/faker/locale/en")
  // The package exports its class only together with all locales, which take six times as long to load.
  const OwnFaker = faker.constructor as FakerClass
  return new OwnFaker({ locale: faker.rawDefinitions, randomizer: generator() })
}

/** Pseudonyms under a key. */
export const make = async (key: string): Promise<Pseudonyms> => {
  const faker = await load()
  const digest = (kind: string, value: string): Buffer =>
    createHmac("sha256", key).update(`${kind}\0`).update(value).digest()
  const seeded = (kind: string, value: string): Faker => {
    const bytes = digest(kind, value)
    faker.seed([bytes.readUInt32BE(0), bytes.readUInt32BE(4), bytes.readUInt32BE(8)])
    return faker
  }
  /** A number from 0 to 1. */
  const fraction = (kind: string, value: string): number => digest(kind, value).readUIntBE(0, 6) / 2 ** 48
  const hash = (value: string): string =>
    Array.from(digest("hash", value).subarray(0, hashLength), (byte) => alphabet[byte & 31]).join("")

  return {
    hash,
    name: (value) => {
      const { person } = seeded("name", value)
      return /\s/.test(value.trim()) ? `${person.firstName()} ${person.lastName()}` : person.firstName()
    },
    // The hash keeps the addresses of different people different.
    email: (value) => {
      const name = seeded("email", value.toLowerCase())
        .person.firstName()
        .toLowerCase()
        .replaceAll(/[^a-z]/g, "")
      return `${name}.${hash(value.toLowerCase()).slice(0, 8)}@example.com`
    },
    phone: (value) => {
      const { string } = seeded("phone", value)
      return value.replaceAll(/[0-9]/g, () => string.numeric())
    },
    text: (value) => {
      const { lorem } = seeded("text", value)
      const wanted = Math.min(value.length, phraseLength)
      let phrase = ""
      while (phrase.length < wanted) phrase += `${lorem.word()} `
      return phrase
        .repeat(Math.ceil(value.length / (phrase.length || 1)))
        .slice(0, value.length)
        .replace(/ $/, ".")
    },
    near: (value, percent) => {
      const factor = 1 + ((fraction("near", String(value)) * 2 - 1) * percent) / 100
      return Number((value * factor).toFixed(decimals(value)))
    },
    digits: (value) => {
      const { length } = String(Math.trunc(Math.abs(value)))
      return Math.floor(fraction("digits", String(value)) * 10 ** Math.min(length, 15))
    }
  }
}

/**
 * The words that PostgreSQL reads as true and false. Each may be abbreviated as long as it is unambiguous.
 */
const vocabulary: ReadonlyArray<readonly [word: string, shortest: number, meaning: boolean]> = [
  ["1", 1, true],
  ["on", 2, true],
  ["true", 1, true],
  ["yes", 1, true],
  ["0", 1, false],
  ["off", 2, false],
  ["false", 1, false],
  ["no", 1, false]
]

const read: ReadonlyMap<string, boolean> = new Map(
  vocabulary.flatMap(([word, shortest, meaning]) =>
    Array.from({ length: word.length - shortest + 1 }, (_, more) => [word.slice(0, shortest + more), meaning] as const)
  )
)

/** Reads a word in any case, with blanks around it; `undefined` when it means neither. */
export const fromText = (text: string): boolean | undefined => read.get(text.trim().toLowerCase())

/** The lower-case words that mean true, or false. */
export const words = (value: boolean): ReadonlyArray<string> =>
  [...read].filter(([, meaning]) => meaning === value).map(([word]) => word)

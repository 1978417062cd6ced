/**
 * The words that PostgreSQL reads as true and false: they may be cut short as long as they differ.
 */
const truths: ReadonlyArray<readonly [word: string, shortest: number, truth: boolean]> = [
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
  truths.flatMap(([word, shortest, truth]) =>
    Array.from({ length: word.length - shortest + 1 }, (_, more) => [word.slice(0, shortest + more), truth] as const)
  )
)

/** What a word means in whatever case, blanks around it aside. */
export const fromText = (text: string): boolean | undefined => read.get(text.trim().toLowerCase())

/** The lower-case words of one meaning. */
export const words = (truth: boolean): ReadonlyArray<string> =>
  [...read].filter(([, meaning]) => meaning === truth).map(([word]) => word)

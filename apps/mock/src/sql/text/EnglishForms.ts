/**
 * Finds the forms of English words that have the same stem. A store compares words and does not stem them, so a query
 * lists the forms; the stemmer is the one of Snowball, which PostgreSQL's configuration `english` uses too.
 */
import { stem } from "porter2"

const listOf = (text: string): ReadonlyArray<string> => text.split(" ")

/** The words that PostgreSQL's configuration `english` ignores. */
const stopWords: ReadonlySet<string> = new Set(
  listOf(
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it " +
      "its itself they them their theirs themselves what which who whom this that these those am is are was were be been " +
      "being have has had having do does did doing a an the and but if or because as until while of at by for with about " +
      "against between into through during before after above below to from up down in out on off over under again " +
      "further then once here there when where why how all any both each few more most other some such no nor not only " +
      "own same so than too very s t can will just don should now"
  )
)

/** Reports whether a word in lower case is ignored. */
export const isStopWord = (word: string): boolean => stopWords.has(word)

/** The ends of words that are derived from a root. */
const derived = listOf(
  "al ance ancy ence ency er or ic able ible ably ibly ant ement ment ent ism ist ate ity ous ive ize ise ful ness less " +
    "ly ative ally ional ation ator ion fully lessly ously ively ently antly ately ability ibility ization isation alism " +
    "ality alize alise alization ousness iveness fulness ateness ivity icity ical ically icate ication ified ification " +
    "edly ingly edness ingness ational ationally ionally mentally entially ential atively ingful aliti iti ists iness ily " +
    "iest ier y i ies ied ying iers est eer eous eously entation entative eds ice"
)

/** The ends of derived words that have inflections themselves. */
const nouns = /(?:e?er|ice|or|ion|ment|ity|ance|ence|ancy|ency|ant|ent|ist|ism|al|ive|ic|able|ness|ate|ize|ise)$/
const verbs = /(?:ate|ize|ise|ice)$/
const weakVerbs = /(?:ion|ment|ent|er|or|ance|ence)$/

const inflected = listOf("s es ed ing ings edly ingly able er ers")

/** The words with a stem of their own. */
const exceptions = listOf("skis skies dying lying tying idly gently ugly early only singly")

/** The ends of stems, and the ends of the words that they are made from. */
const restored: ReadonlyArray<readonly [end: string, from: ReadonlyArray<string>]> = [
  ["i", ["y", ""]],
  ["ie", ["y"]],
  ["bl", ["bility", "bilities", "bly"]],
  ["log", ["logy", "logi", "logies", "logist", "logists"]]
]

const inflectionsOf = (word: string): ReadonlyArray<string> => {
  const short = word.replace(/e$/, "")
  return [
    ...(nouns.test(word) ? [word.endsWith("y") ? `${word.slice(0, -1)}ies` : `${word}s`, `${word}es`] : []),
    ...(verbs.test(word) ? ["ed", "es", "ing", "er", "ers", "able"].map((end) => short + end) : []),
    ...(weakVerbs.test(word) ? [`${short}ed`, `${short}ing`] : [])
  ]
}

const isConsonant = (end: string): boolean => !/^[aeiouy]/.test(end)

/** Ends that follow a silent e, and ends that replace it or double a consonant. */
const followingE = [...inflected, ...derived].filter(isConsonant)
const doubling = [...inflected, "able", "est", "y"].filter((end) => !isConsonant(end))

const candidates = (stem: string): ReadonlySet<string> => {
  const found = new Set(exceptions)
  const add = (base: string, ends: ReadonlyArray<string>) => {
    found.add(base)
    for (const end of ends) {
      found.add(base + end)
      for (const word of inflectionsOf(base + end)) found.add(word)
    }
  }
  const all = [...inflected, ...derived]
  add(stem, all)
  add(`${stem}e`, stem.endsWith("e") ? all : followingE)
  if (stem.endsWith("e")) add(stem.slice(0, -1), all)
  if (stem.endsWith("l")) add(`${stem}l`, all)
  if (/[bdfgkmnprstvz]$/.test(stem)) add(stem + stem.slice(-1), doubling)
  for (const [end, from] of restored) {
    if (stem.endsWith(end)) for (const one of from) add(stem.slice(0, -end.length) + one, all)
  }
  return found
}

/** The number of stems whose forms are kept: finding them takes milliseconds. */
const capacity = 1000
const kept = new Map<string, ReadonlyArray<string>>()

/** The known forms of a word in lower case, which have its stem; the word itself is one of them. */
export const of = (word: string): ReadonlyArray<string> => {
  const own = stem(word)
  let forms = kept.get(own)
  if (forms === undefined) {
    forms = [...candidates(own)].filter((one) => stem(one) === own)
    kept.set(own, forms)
    const [oldest] = kept.keys()
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest)
  }
  return forms.includes(word) ? forms : [...forms, word]
}

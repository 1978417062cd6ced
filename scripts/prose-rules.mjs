// Defines the English of comments, documents, messages and test titles as far as a program can measure it: words with
// a plainer one in their place, and the first words of comments, headers, headings and titles.

/** A blank, or a line break inside a comment. */
const blank = String.raw`(?:\s|\*|//)+`

/** A pattern over whole words, in which a blank may be a line break. */
const words = (pattern) => new RegExp(pattern.replaceAll(" ", blank), "giu")

/** The words to avoid, each with the advice of its complaint. */
export const avoided = [
  { pattern: words(String.raw`\b(?:tell|tells|telling|told)\b`), advice: "say, report, return, notify or distinguish" },
  { pattern: words(String.raw`\b(?:hear|hears|hearing|heard)\b`), advice: "say receive, or name the subscriber" },
  {
    pattern: words(String.raw`\b(?:stand|stands|standing|stood)\b(?!-in\b)`),
    advice: "say is, is stored, is written, conflicts with or means"
  },
  { pattern: words(String.raw`\b(?:bear|bears|bore|borne)\b`), advice: "say has, carries or contains" },
  { pattern: words(String.raw`\b(?:go|goes|going|went) by\b`), advice: "say is sorted by, is named or depends on" },
  { pattern: words(String.raw`\bwhoever\b`), advice: "name the caller, the client, the subscriber or the user" },
  { pattern: words(String.raw`\bso many\b`), advice: "give the number, or say as many ... as" },
  {
    pattern: words(String.raw`(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|other\b|different\b)`),
    advice: "say is not a ..."
  },
  { pattern: words(String.raw`\bat once\b`), advice: "say immediately, together, or in one request" },
  { pattern: words(String.raw`\bbeside\b`), advice: "say next to, with, or besides" },
  {
    pattern: words(
      String.raw`(?<!\b(?:leave|leaves|left|leaving)\b[^.]{0,40})\bbehind\b(?! (?:(?:a|an|the|your|its) )?(?:reverse |load )?(?:prox|balancer|firewall))`
    ),
    advice: "say after, or name the relation"
  }
]

/** First words of a comment, a heading or a test title that make a question of a statement. */
const questions = "What|Who|Whose|Whom|How|Whether|Which|Why|Whoever|Whatever"

/** First words of a file's first comment that start with a condition instead of what the file does. */
const conditions = "Where|When|If|This|It|There|That"

const startingWith = (list) => new RegExp(String.raw`^(?:${list})\b`, "iu")

/** The first words to avoid of each kind of text, with the advice of its complaint. */
export const openers = {
  header: {
    pattern: startingWith(`${questions}|${conditions}`),
    advice: 'begin the file with "<Verb>s <object>." or "The <noun> ..."'
  },
  comment: {
    pattern: startingWith(questions),
    advice: 'begin with the noun, or with a verb such as "Reports whether"'
  },
  heading: { pattern: startingWith(questions), advice: "name what a reader searches for, such as Retries or Errors" },
  title: {
    pattern: startingWith(questions),
    advice: "write what the code does, such as refuses a PATCH without a filter"
  }
}

/** A comment that may begin with one of those words: a quick test over the whole file. */
export const suspicious = new RegExp(String.raw`(?:/\*+|//|["'\x60])[\s*]*(?:${questions}|${conditions})\b`, "iu")

/** Texts that are right although a rule complains: file, and a part of the line. */
export const allowed = []

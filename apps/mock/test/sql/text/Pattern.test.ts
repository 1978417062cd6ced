import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Pattern from "../../../src/sql/text/Pattern.ts"
import { dialect } from "../../../src/sql/sqlite/SqliteDialect.ts"
import * as Statement from "../../../src/sql/Statement.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"

const driver = SqliteDriver.open(":memory:")

const ask = (condition: Statement.Fragment): boolean =>
  driver.execute(Statement.render(Statement.sql`SELECT ${condition}`, dialect))[0]?.[0] === 1

const matches = (text: string, expression: string, foldCase = false): boolean => {
  const pattern = Either.getOrThrowWith(Pattern.parse(expression), (reason) => new Error(`${expression}: ${reason}`))
  return ask(dialect.matches(Statement.sql`${text}`, Pattern.toRegExp(pattern, foldCase), foldCase))
}

/** Parts of regular expressions that mean the same in JavaScript and in PostgreSQL. */
const character = fc.constantFrom("a", "b", "B", "é", "😀", "\\.", "\\*", "\\\\", "-", "\\u0041", " ", "\\n")
const set = fc.constantFrom(
  ".",
  "[ab]",
  "[^a]",
  "[a-c]",
  "[^a-cé]",
  "[😀-😂]",
  "\\d",
  "\\w",
  "\\S",
  "[\\d_]",
  "[\\]\\-]",
  "[b-]"
)
const repetition = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{0}", "*?", "+?", "??", "{1,2}?")
const expression = fc.letrec<{ atom: string; branch: string; choice: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.oneof(character, set),
    tie("choice").map((choice) => `(${choice})`),
    tie("choice").map((choice) => `(?:${choice})`)
  ),
  branch: fc
    .array(fc.tuple(tie("atom"), repetition), { maxLength: 3 })
    .map((parts) => parts.map(([atom, repetition]) => atom + repetition).join("")),
  choice: fc.array(tie("branch"), { minLength: 1, maxLength: 2 }).map((branches) => branches.join("|"))
}))
const anchored = fc
  .array(
    fc
      .tuple(fc.constantFrom("", "^"), expression.branch, fc.constantFrom("", "$"))
      .map(([start, branch, end]) => `${start}${branch}${end}`),
    { minLength: 1, maxLength: 2 }
  )
  .chain((branches) => fc.constantFrom(branches.join("|"), `(${branches.join("|")})`, `^(?:${branches.join("|")})`))
const text = fc
  .array(
    fc.constantFrom("a", "b", "A", "B", "c", "é", "😀", "😁", ".", "*", "\\", "-", "]", "}", "_", "1", " ", "\n"),
    {
      maxLength: 6
    }
  )
  .map((characters) => characters.join(""))

describe("Pattern.parse", () => {
  it("matches the same texts as JavaScript", () => {
    let matched = 0
    fc.assert(
      fc.property(anchored, fc.array(text, { minLength: 5, maxLength: 5 }), (source, texts) => {
        fc.pre(Either.isRight(Pattern.parse(source)))
        const model = new RegExp(source, "su")
        for (const text of texts) {
          const expected = model.test(text)
          if (expected) matched++
          assert.strictEqual(matches(text, source), expected, `${JSON.stringify(text)} ~ ${source}`)
        }
      }),
      { numRuns: 1000 }
    )
    assert.isAbove(matched, 500)
  })

  it("folds the case of ASCII only, inside and outside of sets", () => {
    const table: ReadonlyArray<readonly [text: string, expression: string, matches: boolean]> = [
      ["BOLT", "bolt", true],
      ["bolt", "BO[L-M]T", true],
      ["B", "[^b]", false],
      ["b", "[^B]", false],
      ["B", "[^a-c]", false],
      ["É", "é", false],
      ["É", "É", true],
      ["_", "[A-z]", true]
    ]
    for (const [text, expression, expected] of table) {
      assert.strictEqual(matches(text, expression, true), expected, `${text} ~* ${expression}`)
    }
    assert.isFalse(matches("BOLT", "bolt"))
  })

  it("parses PostgreSQL's classes and literal brackets", () => {
    const table: ReadonlyArray<readonly [text: string, expression: string, matches: boolean]> = [
      ["7", "^[[:digit:]]$", true],
      ["x", "^[[:alpha:]_]$", true],
      ["!", "^[[:punct:]]$", true],
      ["é", "^[[:alpha:]]$", false],
      ["é", "^\\w$", false],
      ["A", "^\\u0041$", true],
      ["\uffff", "^\\uffff$", true],
      ["]", "^[]]$", true],
      ["a", "^[^]]$", true],
      ["-", "^[a-]$", true],
      ["{", "^{$", true],
      ["a{,2}", "^a{,2}$", true],
      ["x", "", true],
      ["", "^$", true],
      ["x", "^$", false],
      ["x", "^|$", true],
      ["a\n", "a$", false]
    ]
    for (const [text, expression, expected] of table) {
      assert.strictEqual(matches(text, expression), expected, `${text} ~ ${expression}`)
    }
  })

  it("accepts as many as 100 characters, of all alternatives together", () => {
    const letters = "abcdefghijklmnopqrstuvwxy".repeat(2)
    assert.isTrue(Either.isRight(Pattern.parse(`(${letters}|${letters})`)))
    assert.isTrue(Either.isLeft(Pattern.parse(`(${letters}|${letters}a)`)))
  })

  it("refuses a pattern that follows more than 24 states of a text at the same time", () => {
    const refused = [
      "a{24}",
      "x.{0,24}y",
      "(a|b|c|d){13}",
      "(((.?.?.?.?.?){5}){4})z",
      "[a-z]{12}[0-9a-f]{12}",
      "(Aa){13}"
    ]
    for (const expression of refused) assert.isTrue(Either.isLeft(Pattern.parse(expression)), expression)
    const accepted = [
      "a{23}",
      "x.{0,20}y",
      "^[A-Z]{2}-[0-9]{4,8}$",
      "(red|green|blue) paint",
      "a long literal text of words"
    ]
    for (const expression of accepted) assert.isTrue(Either.isRight(Pattern.parse(expression)), expression)
  })

  it("refuses a long text after a % of a LIKE pattern, which is compared at every place", () => {
    assert.isTrue(Either.isLeft(Pattern.like(`%${"a".repeat(1001)}%`)))
    assert.isTrue(Either.isRight(Pattern.like(`%${"a".repeat(1000)}%`)))
    assert.isTrue(Either.isRight(Pattern.like(`${"a".repeat(2000)}%`)))
  })

  it("is null for null", () => {
    const pattern = Either.getOrThrow(Pattern.parse("a"))
    const match = dialect.matches(Statement.text("NULL"), Pattern.toRegExp(pattern, false), false)
    assert.deepStrictEqual(driver.execute(Statement.render(Statement.sql`SELECT ${match}`, dialect)), [[null]])
  })

  it("names the unsupported part of an expression", () => {
    const table: ReadonlyArray<readonly [expression: string, reason: string]> = [
      ["(a", "parentheses () not balanced"],
      ["a)", "parentheses () not balanced"],
      ["[a", "brackets [] not balanced"],
      ["*a", "quantifier operand invalid"],
      ["a**", "quantifier operand invalid"],
      ["^*", "quantifier operand invalid"],
      ["{2}", "quantifier operand invalid"],
      ["a{2", "invalid repetition count(s)"],
      ["a{3,2}", "invalid repetition count(s)"],
      ["a{256}", "invalid repetition count(s)"],
      ["[c-a]", "invalid character range"],
      ["[\\d-z]", "invalid character range"],
      ["[[:nothing:]]", "invalid character class"],
      ["a\\", "invalid escape \\ sequence"],
      ["\\u0000", "invalid escape \\ sequence"],
      ["\\ud83d", "invalid escape \\ sequence"],
      ["(a)\\1", "a back reference is not supported"],
      ["a(?=b)", "lookaround is not supported"],
      ["a(?<!b)", "lookaround is not supported"],
      ["(?i)a", "an embedded option is not supported"],
      ["***=a", "a director is not supported"],
      ["\\ma", "a word boundary is not supported"],
      ["\\bolt", "the escape \\b is not supported"],
      ["[[.a.]]", "a collating element is not supported"],
      ["[\\W]", "a negated class inside brackets is not supported"],
      ["a^b", "an anchor that is not at an end of the expression is not supported"],
      ["(a$)b", "an anchor that is not at an end of the expression is not supported"],
      [`${"(".repeat(33)}a${")".repeat(33)}`, "nesting of more than 32 groups is not supported"],
      ["((a{100}){100}){100}", "more than 100 characters when repetitions are written out"]
    ]
    for (const [expression, reason] of table) {
      assert.deepStrictEqual(Pattern.parse(expression), Either.left(reason), expression)
    }
  })

  it("parses or refuses any text, and SQLite parses the output", () => {
    const noise = fc.oneof(
      fc.string({ unit: fc.constantFrom(..."ab(){}[]^$.*+?|\\-:,09uxé😀") }),
      fc.string({ unit: "binary" })
    )
    fc.assert(
      fc.property(noise, fc.boolean(), (expression, foldCase) => {
        const read = Pattern.parse(expression)
        assert.isTrue(
          Either.isLeft(read) ? read.left.length > 0 : [true, false].includes(matches("a", expression, foldCase))
        )
      }),
      { numRuns: 1000 }
    )
  })
})

describe("Pattern.like", () => {
  it("accepts patterns that SQLite can match and that do not end inside an escape", () => {
    assert.deepStrictEqual(Pattern.like("50\\%%"), Either.right("50\\%%"))
    assert.deepStrictEqual(Pattern.like("a\\\\"), Either.right("a\\\\"))
    const longest = "é".repeat(25_000)
    assert.isTrue(ask(dialect.like(Statement.sql`${longest}`, Either.getOrThrow(Pattern.like(longest)), false)))
    assert.deepStrictEqual(
      Pattern.like(`${longest}a`),
      Either.left("a LIKE pattern of more than 50000 bytes is not supported")
    )
    assert.deepStrictEqual(Pattern.like("a\\"), Either.left("LIKE pattern must not end with escape character"))
    assert.deepStrictEqual(Pattern.like("a\\\\\\"), Either.left("LIKE pattern must not end with escape character"))
  })
})

/**
 * A facts file: what was observed of a service, as sorted JSON with one fact on each line, so that a change is one line of
 * a review. Reading it refuses unknown facts, contradictions and other versions, each by the fact's place.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as DecodeError from "./DecodeError.ts"
import * as Fact from "./Fact.ts"
import * as FactConflict from "./FactConflict.ts"
import type { Problem } from "./FactConflict.ts"
import * as Suggestion from "./Suggestion.ts"

/** The version of the format that this package reads and writes. */
export const version = 1

/** The facts about one service. */
export interface Facts {
  /** The service that was observed, in words: a name or an address, without credentials. */
  readonly service: string
  readonly facts: ReadonlyArray<Fact.Fact>
}

const show = ({ actual, expected, fact }: Problem): string => `${fact}: expected ${expected}, got ${actual}`

const shown = 10

/** A facts file that cannot be used, with all its problems. */
export class FactsInvalid extends Data.TaggedError("FactsInvalid")<{
  /** The path of the file, or the name of the facts. */
  readonly source: string
  readonly problems: ReadonlyArray<Problem>
}> {
  override get message(): string {
    const lines = this.problems.slice(0, shown).map(show)
    const more = this.problems.length - lines.length
    return [`The facts of ${this.source} cannot be used.`, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join(
      "\n"
    )
  }
}

const File = Schema.Struct({
  version: Schema.Number,
  service: Schema.String,
  facts: Schema.Array(Schema.Unknown)
})

const named = Schema.Struct({ fact: Schema.String })

const problemsOf = (place: string, subject: string, issue: ParseResult.ParseIssue): ReadonlyArray<Problem> =>
  DecodeError.fromIssue(subject, issue).issues.map(({ actual, expected, path }) => ({
    fact: [place, ...path.map(String)].join("."),
    expected,
    actual
  }))

const strict = { onExcessProperty: "error", errors: "all" } as const

/** Decodes one fact by the schema of its kind, so that a problem names the field and not every kind. */
const decode = (given: unknown, index: number): Either.Either<Fact.Fact, ReadonlyArray<Problem>> => {
  const place = `facts[${index}]`
  const kind = Schema.decodeUnknownOption(named)(given)
  if (Option.isNone(kind)) {
    return Either.left([
      { fact: place, expected: "an object with the kind of the fact in the field fact", actual: "another value" }
    ])
  }
  const known = Fact.kinds.find((name) => name === kind.value.fact)
  if (known === undefined) {
    const nearest = Suggestion.find(kind.value.fact, Fact.kinds)
    return Either.left([
      {
        fact: `${place}.fact`,
        expected: nearest === undefined ? `one of ${Fact.kinds.join(", ")}` : `a known kind, perhaps ${nearest}`,
        actual: JSON.stringify(kind.value.fact)
      }
    ])
  }
  return Either.mapLeft(ParseResult.decodeUnknownEither(Fact.Fact, strict)(given), (issue) =>
    problemsOf(`${place} (${known})`, known, issue)
  )
}

const json = (text: string): Either.Either<unknown, Problem> =>
  Either.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => ({
      fact: "file",
      expected: "JSON",
      actual: error instanceof Error ? error.message : "another text"
    })
  })

const read = (text: string): Either.Either<Facts, ReadonlyArray<Problem>> =>
  Either.gen(function* () {
    const parsed = yield* Either.mapLeft(json(text), (problem) => [problem])
    const file = yield* Either.mapLeft(ParseResult.decodeUnknownEither(File, { errors: "all" })(parsed), (issue) =>
      problemsOf("file", "file", issue)
    )
    if (file.version !== version) {
      return yield* Either.left([{ fact: "file.version", expected: String(version), actual: String(file.version) }])
    }
    const decoded = file.facts.map(decode)
    const problems = decoded.flatMap((result) => (Either.isLeft(result) ? result.left : []))
    const facts = decoded.flatMap((result) => (Either.isRight(result) ? [result.right] : []))
    return yield* problems.length > 0 ? Either.left(problems) : checked({ service: file.service, facts })
  })

const checked = (facts: Facts): Either.Either<Facts, ReadonlyArray<Problem>> => {
  const problems = FactConflict.find(facts.facts)
  return problems.length > 0 ? Either.left(problems) : Either.right({ ...facts, facts: Fact.sorted(facts.facts) })
}

/** Parses the text of a facts file. `source` names it in the error. */
export const parse = (source: string, text: string): Either.Either<Facts, FactsInvalid> =>
  Either.mapLeft(read(text), (problems) => new FactsInvalid({ source, problems }))

/** Checks facts that were not read from a file. */
export const check = (facts: Facts): Either.Either<Facts, FactsInvalid> =>
  Either.mapLeft(checked(facts), (problems) => new FactsInvalid({ source: facts.service, problems }))

/** Prints a facts file: sorted, one fact on a line. */
export const print = ({ facts, service }: Facts): string => {
  const lines = Fact.sorted(facts).map((fact) => `    ${JSON.stringify(fact)}`)
  const list = lines.length === 0 ? "[]" : `[\n${lines.join(",\n")}\n  ]`
  return `{\n  "version": ${version},\n  "service": ${JSON.stringify(service)},\n  "facts": ${list}\n}\n`
}

/** Adds newer facts to older ones. A newer fact replaces an older one at its place; equal ones add up what was seen. */
export const merge = (older: ReadonlyArray<Fact.Fact>, newer: ReadonlyArray<Fact.Fact>): ReadonlyArray<Fact.Fact> => {
  const merged = new Map(older.map((fact) => [Fact.place(fact), fact]))
  for (const fact of newer) {
    const place = Fact.place(fact)
    const known = merged.get(place)
    const isSame = known !== undefined && JSON.stringify({ ...known, seen: fact.seen }) === JSON.stringify(fact)
    merged.set(place, isSame ? { ...fact, seen: known.seen + fact.seen } : fact)
  }
  return Fact.sorted([...merged.values()])
}

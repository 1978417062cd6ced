/**
 * The error of a value that does not match its schema: path, expected and actual value of each issue. Values of sensitive
 * columns, and those that look like API keys, are withheld.
 */
import * as Data from "effect/Data"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { prefix } from "./internal/apiKeyPrefix.ts"
import * as Sensitive from "./Sensitive.ts"

/** One mismatch. */
export interface Issue {
  /** The path of the value: a field, then keys and indexes inside it; empty for the whole value. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly expected: string
  /** The actual value as messages may show it; `nothing` for a missing field. */
  readonly actual: string
}

const shownIssues = 5
const shownCharacters = 60

/** A value that does not match the schema of a resource, or another named schema. */
export class DecodeError extends Data.TaggedError("DecodeError")<{
  /** The name of the resource or schema. */
  readonly subject: string
  readonly issues: ReadonlyArray<Issue>
}> {
  override get message(): string {
    const lines = this.issues
      .slice(0, shownIssues)
      .map(
        ({ path, expected, actual }) =>
          `${[this.subject, ...path].map(String).join(".")}: expected ${expected}, got ${actual}`
      )
    const more = this.issues.length - lines.length
    return more > 0 ? `${lines.join("; ")}; and ${more} more` : lines.join("; ")
  }
}

const looksLikeKey = (value: unknown): boolean => typeof value === "string" && value.includes(prefix)

/** The actual value as messages show it: without the contents of objects, arrays and withheld values. */
const show = (value: unknown, sensitive: boolean): string => {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (Array.isArray(value)) return "an array"
  if (typeof value === "object") return "an object"
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`
  if (sensitive || looksLikeKey(value)) return `a ${typeof value}, withheld`
  if (typeof value !== "string") return String(value)
  const text = JSON.stringify(value)
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`
}

const describe = (ast: AST.AST): string =>
  AST.isTypeLiteral(ast) ? "an object" : Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast))

/** The expected kind of value, without refinements. */
const kind = (ast: AST.AST): string => {
  if (AST.isUnion(ast)) return ast.types.map(kind).join(" or ")
  return AST.isRefinement(ast) ? kind(ast.from) : describe(ast)
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

const toArray = (issues: ParseResult.SingleOrNonEmpty<ParseResult.ParseIssue>): ReadonlyArray<ParseResult.ParseIssue> =>
  "_tag" in issues ? [issues] : issues

interface Place {
  readonly path: Issue["path"]
  readonly sensitive: boolean
  /** The other value that is accepted at this path. */
  readonly alternative: "" | " or null"
}

/** The place at further steps; those inside a sensitive value are withheld with it. */
const further = ({ path, sensitive }: Place, steps: ParseResult.Path): Place => ({
  path: sensitive ? path : path.concat(steps).map((step) => (looksLikeKey(step) ? "(withheld)" : step)),
  sensitive,
  alternative: ""
})

/** The place, sensitive where a schema of its value is. */
const under = (place: Place, ast: AST.AST): Place => (Sensitive.is(ast) ? { ...place, sensitive: true } : place)

const explain = (issue: ParseResult.ParseIssue, place: Place): ReadonlyArray<Issue> => {
  switch (issue._tag) {
    case "Pointer":
      return explain(issue.issue, further(place, issue.path))
    case "Missing":
      return [{ path: place.path, expected: kind(issue.ast.type), actual: "nothing" }]
    case "Unexpected":
      return [{ path: place.path, expected: "nothing", actual: show(issue.actual, true) }]
    case "Refinement":
    case "Transformation":
      return explain(issue.issue, under(place, issue.ast))
    case "Composite": {
      const types = AST.isUnion(issue.ast) ? issue.ast.types : []
      const inside = [issue.ast, ...types].reduce(under, place)
      const alternative = types.some(isNull) ? " or null" : place.alternative
      return toArray(issue.issues)
        .filter((inner) => !(inner._tag === "Type" && isNull(inner.ast)))
        .flatMap((inner) => explain(inner, { ...inside, alternative }))
    }
    case "Type":
    case "Forbidden": {
      const { path, sensitive, alternative } = under(place, issue.ast)
      // A text in place of a whole row can hold sensitive values.
      const withheld = sensitive || path.length === 0 || AST.isTypeLiteral(issue.ast)
      const expected = issue.message ?? describe(issue.ast)
      return [{ path, expected: expected + alternative, actual: show(issue.actual, withheld) }]
    }
  }
}

/** The error of an issue of Schema. */
export const fromIssue = (subject: string, issue: ParseResult.ParseIssue): DecodeError =>
  new DecodeError({ subject, issues: explain(issue, { path: [], sensitive: false, alternative: "" }) })

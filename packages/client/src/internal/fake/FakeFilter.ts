/**
 * Decides in memory which rows match a filter, with SQL's third value: a condition on null is neither true nor false.
 */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import type * as Filter from "@mfgdata/domain/Filter"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import { FakeUnsupported } from "./FakeUnsupported.ts"
import * as FakeValue from "./FakeValue.ts"

/** A row and the values of its embeds, by the names that a filter uses. */
export interface Candidate {
  readonly resource: FakeValue.Typed
  readonly row: FakeValue.Row
  readonly embedded: (name: string) => unknown
}

type Truth = boolean | null

const escaped = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&")

/** The regular expression of a pattern of `like`. */
const likeExpression = (pattern: string, flags: string): RegExp => {
  let source = ""
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index)
    if (character === "\\") source += escaped(pattern.charAt(++index))
    else source += character === "%" || character === "*" ? ".*" : character === "_" ? "." : escaped(character)
  }
  return new RegExp(`^${source}$`, `s${flags}`)
}

/** Reports whether JSON contains other JSON, as `@>` of PostgreSQL. */
const includes = (whole: unknown, part: unknown): boolean => {
  if (Array.isArray(whole)) {
    return (Array.isArray(part) ? part : [part]).every((item) => whole.some((element) => includes(element, item)))
  }
  if (!Predicate.isRecord(whole)) return whole === part
  return Predicate.isRecord(part) && Object.entries(part).every(([name, value]) => includes(whole[name], value))
}

/** The operand of `cs`, `cd` and `ov`: a list of texts, or JSON. */
const operand = (value: unknown, text: string): unknown => {
  const list = Array.isArray(value) ? ArrayLiteral.parse(text) : undefined
  return list !== undefined && Either.isRight(list) ? list.right : JSON.parse(text)
}

const compare = (operator: Filter.Operator, value: unknown, text: string, type: FakeValue.ComparedAs): boolean => {
  const order = () => FakeValue.compare(value, FakeValue.parse(text, type), type)
  switch (operator) {
    case "eq":
      return order() === 0
    case "neq":
    case "isdistinct":
      return order() !== 0
    case "gt":
      return order() > 0
    case "gte":
      return order() >= 0
    case "lt":
      return order() < 0
    case "lte":
      return order() <= 0
    case "like":
      return likeExpression(text, "").test(String(value))
    case "ilike":
      return likeExpression(text, "i").test(String(value))
    case "match":
      return new RegExp(text).test(String(value))
    case "imatch":
      return new RegExp(text, "i").test(String(value))
    case "cs":
      return includes(value, operand(value, text))
    case "cd":
      return includes(operand(value, text), value)
    case "ov": {
      const others = operand(value, text)
      return Array.isArray(value) && Array.isArray(others) && value.some((item) => others.includes(item))
    }
    default:
      throw new FakeUnsupported({ feature: `the operator ${operator}` })
  }
}

const words = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Finds all words, or the phrase that they form. */
const searches = ({ operator, value: query }: Filter.Search, value: unknown): boolean => {
  const isPlain = operator === "plfts" || operator === "phfts" || (operator === "wfts" && !/["-]|\bor\b/i.test(query))
  if (!isPlain) throw new FakeUnsupported({ feature: "the syntax of this full-text query" })
  const text = words(String(value))
  const wanted = words(query)
  return operator === "phfts"
    ? ` ${text.join(" ")} `.includes(` ${wanted.join(" ")} `)
    : wanted.every((word) => text.includes(word))
}

const is = (value: unknown, expected: Filter.IsValue): boolean => {
  switch (expected) {
    case "null":
    case "unknown":
      return value === null
    case "not_null":
      return value !== null
    case "true":
    case "false":
      return value === (expected === "true")
  }
}

const inTree = ({ _tag, filters }: Filter.Tree, candidate: Candidate): Truth => {
  const decisive = _tag === "Or"
  const truths = filters.map((filter) => matches(filter, candidate))
  return truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive
}

const onPath = (filter: Exclude<Filter.Filter, Filter.Tree>, { embedded, resource, row }: Candidate): Truth => {
  const { path } = filter
  const isEmbed = FakeValue.typeOf(resource, path.column) === undefined
  const value = isEmbed ? embedded(path.column) : FakeValue.at(row, path)
  if (filter._tag === "Is") return is(value, filter.value)
  if (filter._tag === "Compare" && filter.operator === "isdistinct" && value === null) return true
  if (value === null) return null
  const type = FakeValue.comparedAs(resource, path)
  switch (filter._tag) {
    case "Compare":
      return compare(filter.operator, value, filter.value, type)
    case "Quantified": {
      const each = (text: string) => compare(filter.operator, value, text, type)
      return filter.quantifier === "any" ? filter.values.some(each) : filter.values.every(each)
    }
    case "In":
      return filter.values.some((text) => compare("eq", value, text, type))
    case "Search":
      return searches(filter, value)
  }
}

const isTree = (filter: Filter.Filter): filter is Filter.Tree => filter._tag === "And" || filter._tag === "Or"

/** The truth of a filter for a row; null where it is unknown. */
export const matches = (filter: Filter.Filter, candidate: Candidate): Truth => {
  const truth = isTree(filter) ? inTree(filter, candidate) : onPath(filter, candidate)
  return filter.negated && truth !== null ? !truth : truth
}

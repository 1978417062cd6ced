/**
 * Plans filters: checks columns and operators against the resource, and parses values as the types of their columns.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import type * as Filter from "@mfgdata/domain/Filter"
import { Json, type JsonArray } from "@mfgdata/domain/Json"
import { bounds, remedies } from "@mfgdata/domain/QueryError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Condition, holdsObject, type Related, type Value } from "../../sql/read/Condition.ts"
import { kindOf, type Target } from "../../sql/read/Target.ts"
import * as Containment from "../../sql/read/Containment.ts"
import * as Pattern from "../../sql/text/Pattern.ts"
import * as TextQuery from "../../sql/text/TextQuery.ts"
import * as TextSearch from "../../sql/text/TextSearch.ts"
import * as Coercion from "./Coercion.ts"
import type { RowError } from "../RowError.ts"
import * as FilterBudget from "./FilterBudget.ts"
import * as TargetPlan from "./TargetPlan.ts"
import * as VocabularyCheck from "./VocabularyCheck.ts"

type Result<A = Condition> = Either.Either<A, RowError>

/** PostgreSQL's names of the operators. */
const symbols: { readonly [O in Filter.Operator]: string } = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  isdistinct: "=",
  like: "~~",
  ilike: "~~*",
  match: "~",
  imatch: "~*",
  cs: "@>",
  cd: "<@",
  ov: "&&",
  sl: "<<",
  sr: ">>",
  nxr: "&<",
  nxl: "&>",
  adj: "-|-"
}

const mismatch = (target: Target, operator: Filter.Operator): Result<never> =>
  Either.left({
    _tag: "OperatorMismatch",
    operation: `${TargetPlan.typeOf(target)} ${symbols[operator]} unknown`
  })

/** Parses the value that a target is compared with. */
const readValue = (target: Target, operator: Filter.Operator, text: string, rules: RuleSet): Result<Value> => {
  const { column } = target
  const kind = kindOf(target)
  const isEquality = operator === "eq" || operator === "neq" || operator === "isdistinct"
  switch (kind) {
    case "object":
    case "array":
      return isEquality
        ? Either.flatMap(readContent(target, text, rules), (value) =>
            value === null ? mismatch(target, operator) : Either.right(value)
          )
        : mismatch(target, operator)
    case "json":
      // Arrays and objects are ordered by `order` alone.
      return Either.flatMap(readContent(target, text, rules), (value) =>
        isEquality || typeof value !== "object" ? Either.right(value) : mismatch(target, operator)
      )
    default: {
      const value = Coercion.scalar(column, kind, text)
      if (target.json.length > 0 || Either.isLeft(value)) return value
      const refusal = VocabularyCheck.refusal(column, value.right, rules)
      return refusal === undefined ? value : Either.left(refusal)
    }
  }
}

const isTextual = (target: Target, rules: RuleSet): boolean =>
  kindOf(target) === "text" && (target.json.length > 0 || !VocabularyCheck.isClosed(target.column, rules))

const isJson = Schema.is(Json)

/** Refuses JSON that a store cannot hold. */
const storable = <A extends Json>({ column }: Target, text: string, read: Result<A>): Result<A> =>
  Either.filterOrLeft(
    read,
    (value) => isJson(value),
    (): RowError => ({
      _tag: "TextMalformed",
      problem: "syntax",
      type: "json",
      column: column.name,
      shown: Coercion.show(column, text)
    })
  )

const readList = (target: Target, text: string, rules: RuleSet): Result<JsonArray> =>
  storable(target, text, Coercion.array(target.column, text, rules))

/** Parses the JSON that a target is compared with: a list for an array column. */
const readContent = (target: Target, text: string, rules: RuleSet): Result<Json> =>
  kindOf(target) === "array"
    ? readList(target, text, rules)
    : storable(target, text, Coercion.json(target.column, text))

const unsupported = (reason: string): RowError => ({
  _tag: "Unsupported",
  feature: reason,
  instead: remedies.filters
})

const compare = (target: Target, operator: Filter.Operator, text: string, rules: RuleSet): Result => {
  switch (operator) {
    case "eq":
    case "neq":
    case "gt":
    case "gte":
    case "lt":
    case "lte":
    case "isdistinct":
      return Either.map(readValue(target, operator, text, rules), (value) => ({
        _tag: "Compare",
        target,
        operator,
        value
      }))
    case "like":
    case "ilike":
      if (!isTextual(target, rules)) return mismatch(target, operator)
      return Either.mapBoth(Pattern.like(text.replaceAll("*", "%")), {
        onLeft: (reason): RowError => ({ _tag: "LikeRefused", reason }),
        onRight: (pattern) => ({ _tag: "Like", target, foldCase: operator === "ilike", pattern })
      })
    case "match":
    case "imatch":
      if (!isTextual(target, rules)) return mismatch(target, operator)
      return Either.mapBoth(Pattern.parse(text), {
        onLeft: (reason): RowError => ({ _tag: "MatchRefused", reason }),
        onRight: (pattern) => ({ _tag: "Match", target, foldCase: operator === "imatch", pattern })
      })
    case "cs":
    case "cd": {
      const kind = kindOf(target)
      if (kind !== "array" && kind !== "object" && kind !== "json") return mismatch(target, operator)
      const _tag = operator === "cs" ? "Contains" : "ContainedBy"
      return Either.flatMap(readContent(target, text, rules), (value) =>
        Either.mapBoth(Containment.check(operator, value), {
          onLeft: unsupported,
          onRight: (value) => ({ _tag, target, value })
        })
      )
    }
    case "ov":
      if (kindOf(target) !== "array") return mismatch(target, operator)
      return Either.flatMap(readList(target, text, rules), (value) =>
        Either.mapBoth(Containment.check(operator, value), {
          onLeft: unsupported,
          onRight: (value) => ({ _tag: "Overlaps", target, value })
        })
      )
    case "sl":
    case "sr":
    case "nxr":
    case "nxl":
    case "adj":
      // Range operators: no column has a range type.
      return mismatch(target, operator)
  }
}

const is = (target: Target, truth: Filter.IsValue): Result => {
  if (truth === "null") return Either.right({ _tag: "Is", target, value: "null" })
  if (truth === "not_null") {
    return Either.right({ _tag: "Not", condition: { _tag: "Is", target, value: "null" } })
  }
  return kindOf(target) === "boolean"
    ? Either.right({ _tag: "Is", target, value: truth })
    : Either.left({ _tag: "TruthMismatch", truth, type: TargetPlan.typeOf(target) })
}

/** The condition of a full-text query. */
const searchCondition = (target: Target, search: TextSearch.TextSearch): Condition => {
  switch (search._tag) {
    case "Pattern":
      return { _tag: "Match", target, foldCase: true, pattern: search.pattern }
    case "Not":
      return { _tag: "Not", condition: searchCondition(target, search.search) }
    case "And":
    case "Or":
      return { _tag: search._tag, conditions: search.searches.map((one) => searchCondition(target, one)) }
  }
}

const search = (target: Target, filter: Filter.Search, rules: RuleSet): Result => {
  const { configuration = "simple", operator, value } = filter
  if (!TextQuery.isConfiguration(configuration)) {
    return Either.left({ _tag: "ConfigurationUnknown", configuration })
  }
  if (kindOf(target) === "object" || kindOf(target) === "json") {
    return Either.left({ _tag: "Unsupported", feature: "full-text search in objects is not available; name a path" })
  }
  if (!isTextual(target, rules)) {
    return Either.left({ _tag: "OperatorMismatch", operation: `${TargetPlan.typeOf(target)} @@ tsquery` })
  }
  return Either.mapBoth(TextSearch.parse(operator, value, { configuration, most: bounds.filters }), {
    onLeft: (refusal): RowError => {
      switch (refusal._tag) {
        case "Unsupported":
          return { _tag: "Unsupported", feature: refusal.reason }
        case "TooLarge":
          return FilterBudget.tooLarge({ words: refusal.words })
        case "Syntax":
          return { _tag: "SearchMalformed", shown: Coercion.show(target.column, value) }
      }
    },
    onRight: (search) => searchCondition(target, search)
  })
}

/** Each value that contains an object needs a condition of its own, so their number is limited. */
const oneOf = (target: Target, texts: ReadonlyArray<string>, rules: RuleSet): Result =>
  Either.flatMap(Either.all(texts.map((text) => readValue(target, "eq", text, rules))), (values) =>
    values.filter(holdsObject).length > bounds.filters
      ? Either.left(unsupported(`more than ${bounds.filters} objects in a list are not supported`))
      : Either.right({ _tag: "OneOf", target, values })
  )

const leaf = (target: Target, filter: Exclude<Filter.Filter, Filter.Tree>, rules: RuleSet): Result => {
  switch (filter._tag) {
    case "Compare":
      return compare(target, filter.operator, filter.value, rules)
    case "Quantified":
      // Each value makes a condition, except for equality with any value, which makes one list.
      if (filter.values.length > bounds.filters && (filter.operator !== "eq" || filter.quantifier === "all")) {
        return Either.left(
          unsupported(
            `more than ${bounds.filters} values for ${filter.operator}(${filter.quantifier}) are not supported`
          )
        )
      }
      if (filter.operator === "eq" && filter.quantifier === "any") return oneOf(target, filter.values, rules)
      return Either.map(
        Either.all(filter.values.map((value) => compare(target, filter.operator, value, rules))),
        (conditions) => ({ _tag: filter.quantifier === "any" ? "Or" : "And", conditions })
      )
    case "In":
      return oneOf(target, filter.values, rules)
    case "Is":
      return is(target, filter.value)
    case "Search":
      return search(target, filter, rules)
  }
}

const isTree = (filter: Filter.Filter): filter is Filter.Tree => filter._tag === "And" || filter._tag === "Or"

/** The condition of a filter on an embed: it tests whether related rows exist. */
const embedCondition = (filter: Exclude<Filter.Filter, Filter.Tree>, related: Related): Result => {
  const exists: Condition = { _tag: "Exists", related }
  if (filter._tag === "Is" && filter.value === "not_null") return Either.right(exists)
  return filter._tag === "Is" && filter.value === "null"
    ? Either.right({ _tag: "Not", condition: exists })
    : Either.left({ _tag: "EmbedCompared", name: filter.path.column })
}

/** Finds the related rows of an embed by its name. */
type FindEmbed = (name: string) => Related | undefined

/** The condition of a filter. Under the public rules, vocabularies are closed. */
const make = (resource: Resource.Any, filter: Filter.Filter, rules: RuleSet, find: FindEmbed | undefined): Result => {
  const condition: Result = isTree(filter)
    ? Either.map(all(resource, filter.filters, rules, find), (conditions) => ({ _tag: filter._tag, conditions }))
    : one(resource, filter, rules, find)
  return filter.negated ? Either.map(condition, (condition) => ({ _tag: "Not", condition })) : condition
}

const one = (
  resource: Resource.Any,
  filter: Exclude<Filter.Filter, Filter.Tree>,
  rules: RuleSet,
  find: FindEmbed | undefined
): Result => {
  const { path } = filter
  const related = path.json.length === 0 ? find?.(path.column) : undefined
  return related === undefined
    ? Either.flatMap(TargetPlan.fromPath(resource, path), (target) => leaf(target, filter, rules))
    : embedCondition(filter, related)
}

/** The conditions of filters. */
export const all = (
  resource: Resource.Any,
  filters: ReadonlyArray<Filter.Filter>,
  rules: RuleSet,
  find?: FindEmbed
): Result<ReadonlyArray<Condition>> => Either.all(filters.map((filter) => make(resource, filter, rules, find)))

/**
 * Lists the probes of the filters of a resource: each operator on a column of a type that it applies to, and refusals.
 */
import * as Filter from "@mfgdata/domain/Filter"
import type * as Resource from "@mfgdata/domain/Resource"
import { absent, type Probe, unknownColumn } from "./Probe.ts"
import { columnsByType, encode, keyOf, type Options, probe, refused, type SampleRow, success } from "./RowProbe.ts"

/** The operand of each operator: each text but the empty one gives the same result. */
const operands: { readonly [O in Filter.Operator]: string } = {
  eq: absent,
  neq: absent,
  gt: "",
  gte: "",
  lt: "",
  lte: "",
  like: "*",
  ilike: "*",
  match: ".*",
  imatch: ".*",
  isdistinct: absent,
  cs: "{a}",
  cd: "{a}",
  ov: "{a}",
  sl: "(1,2)",
  sr: "(1,2)",
  nxr: "(1,2)",
  nxl: "(1,2)",
  adj: "(1,2)"
}

const ofArrays: ReadonlySet<Filter.Operator> = new Set(["cs", "cd", "ov"])
const ofRanges: ReadonlySet<Filter.Operator> = new Set(["sl", "sr", "nxr", "nxl", "adj"])

/** The probes of the filters of a resource. */
export const make = (resource: Resource.Any, path: string, row: SampleRow): ReadonlyArray<Probe> => {
  const { array, boolean, date, number, object, text, timestamp, vocabularies } = columnsByType(resource)
  const key = keyOf(resource, row)
  const within = key === undefined ? "" : `${resource.key}=eq.${encode(key)}&`
  const values = key === undefined ? [] : [key]
  const of = (
    name: string,
    column: string | undefined,
    condition: string,
    options: Options = { expect: success }
  ): ReadonlyArray<Probe> => {
    if (column === undefined) return []
    // The result for a column without a value, or with several possible ones, is not known.
    const value = row?.[column]
    const isKnown = key !== undefined && column !== boolean && typeof value === "string" && value !== ""
    const known = isKnown ? ({ isOfKnownRows: true } as const) : {}
    return [
      probe(`list.filter.${name}`, `${path}?${within}${column}=${condition}&limit=1`, { values, ...known, ...options })
    ]
  }
  const anyText = text ?? resource.key
  const undetermined: Options = {}
  return [
    ...Filter.operators.flatMap((operator) =>
      ofArrays.has(operator)
        ? of(operator, array, `${operator}.${encode(operands[operator])}`)
        : of(
            operator,
            anyText,
            `${operator}.${encode(operands[operator])}`,
            ofRanges.has(operator) ? undetermined : { expect: success }
          )
    ),
    ...Filter.quantifiableOperators.flatMap((operator) =>
      Filter.quantifiers.flatMap((quantifier) =>
        of(`${operator}.${quantifier}`, anyText, `${operator}(${quantifier}).${encode(`{"${operands[operator]}"}`)}`)
      )
    ),
    ...Filter.searchOperators.flatMap((operator) => of(operator, anyText, `${operator}.${absent}`)),
    ...Filter.isValues.flatMap((value) =>
      value === "null" || value === "not_null"
        ? of(`is.${value}`, anyText, `is.${value}`)
        : of(`is.${value}`, boolean, `is.${value}`)
    ),
    ...of("in", resource.key, key === undefined ? `in.(${absent})` : `in.(${encode(`"${key}"`)},${absent})`),
    ...of("not", anyText, `not.eq.${absent}`),
    ...of("number", number, "gte.-1e15"),
    ...of("date", date, "gte.1970-01-01"),
    ...of("timestamp", timestamp, "gte.1970-01-01T00:00:00Z"),
    ...of("boolean", boolean, "eq.true", { expect: success }),
    ...of("json", object === undefined ? undefined : `${object}->>${absent}`, "is.null"),
    probe("list.filter.or", `${path}?or=(${anyText}.is.null,${anyText}.not.is.null)&limit=1`, { expect: success }),
    probe("list.filter.and", `${path}?and=(${anyText}.not.is.null,${resource.key}.not.is.null)&limit=1`, {
      expect: success
    }),
    // Refusals.
    ...of("unknownColumn", unknownColumn, "eq.a", { expect: refused }),
    ...of("unknownOperator", anyText, "mfgunknown.a", { expect: refused }),
    ...of("noOperator", anyText, "a", { expect: refused }),
    ...of("badNumber", number, "eq.many", { expect: refused }),
    ...of("badDate", date, "eq.someday", { expect: refused }),
    ...of("badTimestamp", timestamp, "eq.sometime", { expect: refused }),
    ...of("badBoolean", boolean, "eq.maybe", { expect: refused }),
    ...vocabularies.flatMap((column) =>
      of(`unknownWord.${column}`, column, `eq.${absent}`, { constraint: { kind: "vocabulary", columns: [column] } })
    )
  ]
}

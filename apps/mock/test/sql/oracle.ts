/** Evaluates conditions and orders in plain JavaScript over wire rows, as the reference for the SQL. */
import { isObject } from "@mfgdata/client/contract/JsonText"
import type { Json, JsonArray } from "@mfgdata/domain/Json"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import { isDeepStrictEqual } from "node:util"
import type { Condition } from "../../src/sql/read/Condition.ts"
import { kindOf, type Target } from "../../src/sql/read/Target.ts"
import type { OrderTerm } from "../../src/sql/read/Order.ts"
import type { Row } from "./memory.ts"

/** The truth values of SQL. */
type Truth = boolean | undefined

const isList = (value: Json | undefined): value is JsonArray => Array.isArray(value)
const step = (value: Json | undefined, key: string | number): Json | undefined => {
  if (typeof key === "number") return isList(value) ? value.at(key) : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The value at a target; `undefined` for SQL's null. */
export const read = (row: Row, target: Target): Json | undefined => {
  const whole = row[target.column.name] ?? undefined
  const value = target.json.reduce<Json | undefined>((value, { key }) => step(value, key), whole)
  if (target.json.length === 0 || kindOf(target) === "json") return value
  if (value === undefined || value === null) return undefined
  return typeof value === "string" ? value : JSON.stringify(value)
}

const compareText = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const compareNumber = (one: number | bigint, other: number | bigint): number => (one < other ? -1 : one > other ? 1 : 0)

const rank = (value: Json): number => {
  if (value === null) return 0
  if (typeof value === "string") return 1
  if (typeof value === "number") return 2
  if (typeof value === "boolean") return value ? 4 : 3
  return isList(value) ? 5 : 6
}

const compareJson = (one: Json, other: Json): number => {
  if (typeof one === "number" && typeof other === "number") return compareNumber(one, other)
  if (typeof one === "string" && typeof other === "string") return compareText(one, other)
  const isText = rank(one) === rank(other) && typeof one === "object"
  return isText ? compareText(JSON.stringify(one), JSON.stringify(other)) : rank(one) - rank(other)
}

const compareAt = (target: Target, one: Json, other: Json): number => {
  switch (kindOf(target)) {
    case "timestamp":
      return compareNumber(micros(one), micros(other))
    case "boolean":
    case "number":
      return compareNumber(Number(one), Number(other))
    case "text":
    case "date":
      return compareText(String(one), String(other))
    default:
      return compareJson(one, other)
  }
}

const micros = (text: Json): bigint => Timestamp.toMicros(Timestamp.make(String(text)))

/** Compares JSON for equality, without the order of members. */
const isSame = (one: Json, other: Json): boolean => isDeepStrictEqual(one, other)

const equal = (target: Target, one: Json, other: Json): boolean =>
  kindOf(target) === "timestamp" ? micros(one) === micros(other) : isSame(one, other)

/** PostgreSQL's `@>`, after its manual. */
const holds = (outer: Json, inner: Json, isTop = true): boolean => {
  if (isObject(inner)) {
    return (
      isObject(outer) &&
      Object.entries(inner).every(
        ([key, value]) => Object.hasOwn(outer, key) && holds(outer[key] ?? null, value, false)
      )
    )
  }
  if (isList(inner)) return isList(outer) && inner.every((value) => outer.some((item) => holds(item, value, false)))
  return isTop && isList(outer) ? outer.includes(inner) : outer === inner
}

const like = (text: string, pattern: string): boolean => {
  const source = [...pattern.matchAll(/\\(.)|([^])/gsu)]
    .map(([, escaped, plain = ""]) =>
      escaped === undefined && plain === "%"
        ? ".*"
        : escaped === undefined && plain === "_"
          ? "."
          : (escaped ?? plain).replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
    )
    .join("")
  return new RegExp(`^${source}$`, "su").test(text)
}

const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

const not = (truth: Truth): Truth => (truth === undefined ? undefined : !truth)

/** Evaluates a condition on a row, given the matches of regular expressions. */
export const judge = (row: Row, condition: Condition): Truth => {
  switch (condition._tag) {
    case "And":
    case "Or": {
      const truths = condition.conditions.map((part) => judge(row, part))
      const winner = condition._tag === "Or"
      return truths.includes(winner) ? winner : truths.includes(undefined) ? undefined : !winner
    }
    case "Not":
      return not(judge(row, condition.condition))
    case "Is": {
      const value = read(row, condition.target)
      return condition.value === "null" || condition.value === "unknown"
        ? value === undefined
        : value === (condition.value === "true")
    }
    case "Exists":
    case "Unchanged":
      throw new Error("rows beside the one are not judged here")
    default:
      break
  }
  const { target } = condition
  const value = read(row, target)
  if (condition._tag === "Compare" && condition.operator === "isdistinct") {
    return value === undefined || !equal(target, value, condition.value)
  }
  if (condition._tag === "OneOf" && condition.values.length === 0) return false
  if (value === undefined) return undefined
  switch (condition._tag) {
    case "Compare": {
      const difference = compareAt(target, value, condition.value)
      switch (condition.operator) {
        case "eq":
          return equal(target, value, condition.value)
        case "neq":
          return !equal(target, value, condition.value)
        case "gt":
          return difference > 0
        case "gte":
          return difference >= 0
        case "lt":
          return difference < 0
        default:
          return difference <= 0
      }
    }
    case "OneOf":
      return condition.values.some((one) => equal(target, value, one))
    case "Like": {
      const text = String(value)
      return condition.foldCase ? like(lower(text), lower(condition.pattern)) : like(text, condition.pattern)
    }
    case "Contains":
      return holds(value, condition.value)
    case "ContainedBy":
      return holds(condition.value, value)
    case "Overlaps":
      return isList(value) && condition.value.some((item) => value.some((own) => isSame(own, item)))
    case "Match":
      throw new Error("regular expressions have an oracle of their own")
  }
}

/** Compares rows by an order and then by their key; without an order rows keep their places, as `toSorted` leaves them. */
export const compare =
  (order: ReadonlyArray<OrderTerm>, key: string) =>
  (one: Row, other: Row): number => {
    for (const { direction, nulls, target } of order) {
      const left = read(one, target)
      const right = read(other, target)
      if (left === undefined || right === undefined) {
        if (left === right) continue
        return (left === undefined) === (nulls === "first") ? -1 : 1
      }
      const difference = compareAt(target, left, right)
      if (difference !== 0) return direction === "asc" ? difference : -difference
    }
    return order.length === 0 ? 0 : compareText(String(one[key]), String(other[key]))
  }

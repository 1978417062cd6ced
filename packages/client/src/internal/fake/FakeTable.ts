/**
 * The rows of one resource in memory, with the values that a service sets.
 */
import * as Decoder from "@mfgdata/domain/Decoder"
import type { DecodeError } from "@mfgdata/domain/DecodeError"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as ResourceRules from "@mfgdata/domain/ResourceRules"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Either from "effect/Either"
import type * as FakeValue from "./FakeValue.ts"

type Row = FakeValue.Row

/** The company and the user of all rows that do not name their own. */
const caller = { company: "fake_company", user: "fake_user" }

/** The outcome of a write. */
export type Written =
  | { readonly _tag: "Written"; readonly row: Row; readonly undo: () => void }
  | { readonly _tag: "Invalid"; readonly error: DecodeError }
  | { readonly _tag: "Taken"; readonly key: string }

export interface FakeTable {
  readonly rows: () => ReadonlyArray<Row>
  /** The version of a row, which each change of it increments. */
  readonly version: (key: string) => number | undefined
  readonly create: (values: Row, nowMillis: number) => Written
  /** Creates a row with its key, or changes it. */
  readonly upsert: (values: Row, nowMillis: number) => Written
  readonly update: (key: string, changes: Row, nowMillis: number) => Written
  readonly remove: (key: string) => void
  /** Adds a row of the program; columns without a value get that of the service. */
  readonly add: (values: Row, nowMillis: number) => Either.Either<void, DecodeError>
}

const camelCase = (text: string): string =>
  text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "")

export const make = (resource: Resource.Any): FakeTable => {
  const stored = new Map<string, { row: Row; version: number }>()
  const columns = Object.keys(resource.columns)
  const decode = { row: Decoder.row(resource), create: Decoder.create(resource), update: Decoder.update(resource) }
  let ids = 0

  const valueOf = (rule: ResourceRules.Default, values: Row, now: string): unknown => {
    switch (rule._tag) {
      case "NewId":
        return `${resource.resource}_${++ids}`
      case "Company":
        return caller.company
      case "Creator":
        return caller.user
      case "CreatedAt":
        return now
      case "YearOf":
        return Number(String(values[rule.column]).slice(0, 4))
      case "CamelCaseOf":
        return camelCase(String(values[rule.column]))
      case "Constant":
        return rule.value
      case "Updater":
      case "UpdatedAt":
        return null
    }
  }

  /** A row with a value in each column. */
  const complete = (values: Row, nowMillis: number): Row => {
    const now = Timestamp.fromMicros(BigInt(nowMillis) * 1000n)
    const { defaults } = resource.rules
    return Object.fromEntries(
      columns.map((name) => {
        const rule = defaults[name]
        return [name, values[name] ?? (rule === undefined ? null : valueOf(rule, values, now))]
      })
    )
  }

  const keyOf = (row: Row): string => String(row[resource.key])

  const put = (row: Row): Written => {
    const key = keyOf(row)
    const before = stored.get(key)
    stored.set(key, { row, version: (before?.version ?? 0) + 1 })
    const undo = () => void (before === undefined ? stored.delete(key) : stored.set(key, before))
    return { _tag: "Written", row, undo }
  }

  const create = (values: Row, nowMillis: number): Written => {
    const decoded = decode.create(values)
    if (Either.isLeft(decoded)) return { _tag: "Invalid", error: decoded.left }
    const row = complete(values, nowMillis)
    return stored.has(keyOf(row)) ? { _tag: "Taken", key: keyOf(row) } : put(row)
  }

  const change = (key: string, changes: Row, nowMillis: number): Written => {
    const decoded = decode.update(changes)
    if (Either.isLeft(decoded)) return { _tag: "Invalid", error: decoded.left }
    const stamps = Object.entries(resource.rules.defaults).flatMap(
      ([name, { _tag }]): ReadonlyArray<[string, unknown]> =>
        _tag === "UpdatedAt"
          ? [[name, Timestamp.fromMicros(BigInt(nowMillis) * 1000n)]]
          : _tag === "Updater"
            ? [[name, caller.user]]
            : []
    )
    return put({ ...stored.get(key)?.row, ...changes, ...Object.fromEntries(stamps) })
  }

  return {
    rows: () => [...stored.values()].map(({ row }) => row),
    version: (key) => stored.get(key)?.version,
    create,
    upsert: (values, nowMillis) => {
      const { [resource.key]: key, ...others } = values
      const writable = resource.writes[resource.key] === undefined ? others : values
      if (stored.has(String(key))) return change(String(key), writable, nowMillis)
      const decoded = decode.create(writable)
      return Either.isLeft(decoded) ? { _tag: "Invalid", error: decoded.left } : put(complete(values, nowMillis))
    },
    update: change,
    remove: (key) => void stored.delete(key),
    add: (values, nowMillis) => {
      const row = complete(values, nowMillis)
      return Either.map(decode.row(row), () => void put(row))
    }
  }
}

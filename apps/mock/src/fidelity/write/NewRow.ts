/**
 * Makes the values of rows that a comparison creates: those that a create requires, with references and words that the
 * service has, and a name in a column of text.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"

/** Values that a service holds: fields of rows that others refer to, and rows of each resource. */
export interface Known {
  /** By resource and field, such as `location.id`. */
  readonly references: ReadonlyMap<string, string>
  readonly rows: ReadonlyMap<string, JsonObject>
}

/** The values that the rows of a service show. */
export const known = (
  samples: ReadonlyArray<{ readonly resource: Resource.Any; readonly rows: ReadonlyArray<JsonObject> }>
): Known => {
  const references = new Map<string, string>()
  for (const { resource, rows } of samples) {
    for (const { name, reference } of Column.fromResource(resource)) {
      const value = rows.map((row) => row[name]).find((value) => typeof value === "string" && value !== "")
      if (typeof value !== "string") continue
      references.set(`${resource.resource}.${name}`, value)
      if (reference !== undefined) references.set(`${reference.resource}.${reference.field}`, value)
    }
  }
  return {
    references,
    rows: new Map(samples.flatMap(({ resource, rows: [row] }) => (row === undefined ? [] : [[resource.resource, row]])))
  }
}

const isFixed = (resource: Resource.Any, name: string): boolean =>
  resource.rules.checks.some((check) => check._tag === "OneOf" && check.column === name)

const isWritten = ({ write }: Column.Column): boolean => write !== "never"

const isFree = (resource: Resource.Any, column: Column.Column): boolean =>
  column.type === "text" &&
  isWritten(column) &&
  column.vocabulary === undefined &&
  column.reference === undefined &&
  column.name !== "companyId" &&
  !column.address &&
  !isFixed(resource, column.name)

/**
 * The column that holds the name: a text that a create requires, then an optional one, then one that refers to a row of
 * another resource, which a service may not check.
 */
export const nameColumn = (resource: Resource.Any): string | undefined => {
  const columns = Column.fromResource(resource)
  const free = columns.filter((column) => isFree(resource, column))
  const plain = free.filter(({ sensitive }) => !sensitive)
  // A row of another company or user would be hidden from its maker.
  const texts = columns.filter(
    ({ name, reference, type, write }) =>
      type === "text" &&
      write === "required" &&
      name !== "companyId" &&
      reference?.resource !== "company" &&
      reference?.resource !== "user"
  )
  const first = plain.find(({ write }) => write === "required") ?? plain[0] ?? free[0] ?? texts.at(-1)
  return first?.name
}

const address = "https://mfg-compare.invalid/"

/** A day for each name in turn, all of one year: a service may allow one row for each day. */
const dayOf = (name: string): string => {
  const count = Number(/\d+$/.exec(name)?.[0] ?? 0)
  return new Date(Date.UTC(2040, 0, 1 + (count % 365))).toISOString().slice(0, 10)
}

/** The value of a column that a create requires. */
const valueOf = (resource: Resource.Any, column: Column.Column, { references, rows }: Known, name: string): Json => {
  const sample = rows.get(resource.resource)?.[column.name] ?? undefined
  switch (column.type) {
    case "text": {
      if (column.address) return address
      if (column.vocabulary !== undefined) return sample ?? column.vocabulary.known[0] ?? name
      if (column.reference !== undefined) {
        const { field, resource } = column.reference
        return sample ?? references.get(`${resource}.${field}`) ?? name
      }
      if (column.name === "companyId") return sample ?? references.get("company.id") ?? name
      return column.sensitive ? name : (sample ?? name)
    }
    case "number":
      return 1
    case "boolean":
      return false
    case "date":
      return dayOf(name)
    case "timestamp":
      return "2030-01-02T03:04:05.000Z"
    case "object":
      return {}
    case "array":
      return column.address ? [address] : (sample ?? [])
  }
}

/** The values of a new row with a name. */
export const make = (resource: Resource.Any, column: string, known: Known, name: string): JsonObject => ({
  ...Object.fromEntries(
    Column.fromResource(resource)
      .filter(({ write }) => write === "required")
      .map((column) => [column.name, valueOf(resource, column, known, name)])
  ),
  [column]: name
})

/** A value of another type than that of a column. */
export const badValue = ({ type }: Column.Column): Json => (type === "text" ? { a: 1 } : "mfg-compare-many")

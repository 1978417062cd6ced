/**
 * Prints the timestamps and numbers of rows in the form that facts describe.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Fact from "@mfgdata/domain/Fact"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Timestamp from "@mfgdata/domain/Timestamp"

type TimestampForm = Pick<Fact.Of<"timestamp">, "digits" | "zone">

/** Prints a timestamp. A text that is not one is kept. */
const timestamp =
  ({ digits, zone }: TimestampForm) =>
  (value: Json): Json => {
    if (typeof value !== "string" || !Timestamp.is(value)) return value
    const micros = Timestamp.toMicros(value)
    const fraction = String(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n).padStart(6, "0")
    const shown = digits === "trimmed" ? fraction.replace(/0+$/, "") : fraction.slice(0, digits)
    const seconds = Timestamp.fromMicros(micros).replace(/(?:\.\d+)?Z$/, "")
    return `${seconds}${shown === "" ? "" : `.${shown}`}${zone}`
  }

const toText = (value: Json): Json => (typeof value === "number" ? String(value) : value)

interface Print {
  (value: Json): Json
}

/** The functions that print the columns of one resource; undefined when none has another form. */
const printersOf = (resource: Resource.Any, facts: ReadonlyArray<Fact.Fact>): ReadonlyMap<string, Print> => {
  const name = resource.resource
  const form =
    facts.find((fact) => fact.fact === "timestamp" && fact.resource === name) ??
    facts.find((fact) => fact.fact === "timestamp" && fact.resource === "*")
  const printers = new Map<string, Print>()
  for (const { name, type } of Column.fromResource(resource)) {
    if (form?.fact === "timestamp" && type === "timestamp") printers.set(name, timestamp(form))
  }
  for (const fact of facts) {
    if (fact.fact === "number" && fact.resource === name && fact.form === "text") printers.set(fact.column, toText)
  }
  return printers
}

/** The function that prints the rows of a body, and those embedded in them; undefined when no fact concerns them. */
export const make = (
  resources: ReadonlyArray<Resource.Any>,
  facts: ReadonlyArray<Fact.Fact>
): ((resource: Resource.Any, body: Json) => Json) | undefined => {
  const printers = new Map(resources.map((resource) => [resource.resource, printersOf(resource, facts)]))
  if (Array.from(printers.values()).every(({ size }) => size === 0)) return undefined
  const print = (resource: Resource.Any, body: Json): Json => {
    if (Array.isArray(body)) return body.map((row) => print(resource, row))
    if (body === null || typeof body !== "object") return body
    const own = printers.get(resource.resource)
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => {
        const embedded = Catalogue.find(name)
        if (embedded !== undefined) return [name, print(embedded, value)]
        return [name, own?.get(name)?.(value) ?? value]
      })
    )
  }
  return print
}

/**
 * Lists the probes that write to a resource, in their order: each creates a named row of its own, or changes the one that
 * the first has created.
 */
import { absent, type Probe, unknownColumn, type Verb } from "@mfgdata/client/contract/Probe"
import type { ConstraintKind } from "@mfgdata/client/contract/Difference"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as NewRow from "./NewRow.ts"

/** The row that the steps change, and the values of new ones. */
export interface Context {
  readonly resource: Resource.Any
  /** The column that holds the names of rows. */
  readonly nameColumn: string
  /** The values of a new row, with a name of its own. */
  readonly values: () => JsonObject
  /** The values of the first row. */
  readonly first: JsonObject
  /** The key of the first row, once it is created. */
  readonly key: string
}

export interface Step {
  readonly name: string
  readonly verb: Verb
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE"
  /** The query (default: none). */
  readonly query?: (context: Context) => string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: (context: Context) => Json
  /** The text of a body that is not JSON. */
  readonly text?: string
  readonly constraint?: Probe["constraint"]
  readonly written?: Probe["written"]
}

const representation = { prefer: "return=representation" }

const ofKey = ({ key, resource }: Context): string => `?${resource.key}=eq.${encodeURIComponent(key)}`
const ofAbsent = ({ resource }: Context): string => `?${resource.key}=eq.${absent}`

const create = (name: string, step: Partial<Step> = {}): Step => ({
  name: `create${name === "" ? "" : `.${name}`}`,
  verb: "create",
  method: "POST",
  headers: representation,
  body: ({ values }) => values(),
  ...step
})

const renamed = ({ first, nameColumn }: Context): JsonObject => ({ [nameColumn]: `${String(first[nameColumn])}-u` })

const update = (name: string, step: Partial<Step> = {}): Step => ({
  name: `update${name === "" ? "" : `.${name}`}`,
  verb: "update",
  method: "PATCH",
  query: ofKey,
  headers: representation,
  body: renamed,
  ...step
})

const rule = (kind: ConstraintKind, column: string) => ({ constraint: { kind, columns: [column] } })

const omit = (row: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column !== name))

/** The first step: the row that others change. */
export const first: Step = create("", { body: ({ first }) => first })

const creates = (resource: Resource.Any, nameColumn: string): ReadonlyArray<Step> => {
  const columns = Column.fromResource(resource)
  const others = columns.filter(({ name }) => name !== nameColumn)
  const written = others.filter(({ write }) => write !== "never")
  const returned = others.find(({ name, write }) => write === "never" && name !== resource.key)
  const withValue = (name: string, value: Json) => (context: Context) => ({ ...context.values(), [name]: value })
  return [
    create("plain", { headers: {} }),
    create("minimal", { headers: { prefer: "return=minimal" } }),
    create("headersOnly", { headers: { prefer: "return=headers-only" } }),
    create("many", { body: ({ values }) => [values(), values()] }),
    create("rollback", { headers: { prefer: "return=representation, tx=rollback" } }),
    create("duplicate", { body: ({ first }) => first, constraint: { kind: "unique", columns: [] } }),
    create("unknownColumn", { body: withValue(unknownColumn, "a") }),
    create("badJson", { body: () => null, text: "{" }),
    create("notAnObject", { body: () => "text" }),
    create("contentType", { headers: { ...representation, "content-type": "application/xml" }, text: "<a/>" }),
    ...(columns.some(({ name, write }) => name === resource.key && write === "never")
      ? [
          create("key", {
            body: (context) => ({ ...context.values(), [resource.key]: `${String(context.first[nameColumn])}-k` }),
            ...rule("writable", resource.key)
          })
        ]
      : []),
    ...(returned === undefined
      ? []
      : [
          create(`writable.${returned.name}`, {
            body: withValue(returned.name, returned.type === "timestamp" ? "2030-01-02T03:04:05.000Z" : absent),
            ...rule("writable", returned.name)
          })
        ]),
    ...written
      .filter(({ write }) => write === "required")
      .map(({ name }) =>
        create(`missing.${name}`, { body: (context) => omit(context.values(), name), ...rule("required", name) })
      ),
    ...written.map((column) =>
      create(`type.${column.name}`, {
        body: withValue(column.name, NewRow.badValue(column)),
        ...rule("type", column.name)
      })
    ),
    ...written.flatMap(({ name, vocabulary }) =>
      vocabulary === undefined
        ? []
        : [create(`word.${name}`, { body: withValue(name, absent), ...rule("vocabulary", name) })]
    ),
    ...written.flatMap(({ name, reference }) =>
      reference === undefined
        ? []
        : [create(`reference.${name}`, { body: withValue(name, absent), ...rule("reference", name) })]
    )
  ]
}

/** The values of each type, whose form the service may change. */
const formed: { readonly [T in Column.Type]?: Json } = {
  number: 12.5,
  date: "2030-05-01",
  timestamp: "2030-05-01T10:20:30+02:00"
}

const updates = (resource: Resource.Any, nameColumn: string): ReadonlyArray<Step> => {
  const columns = Column.fromResource(resource).filter(({ name, write }) => write !== "never" && name !== nameColumn)
  const required = columns.find(({ write }) => write === "required")
  return [
    update(""),
    update("plain", { headers: {} }),
    update("minimal", { headers: { prefer: "return=minimal" } }),
    update("object", { headers: { ...representation, accept: "application/vnd.pgrst.object+json" } }),
    update("empty", { body: () => ({}) }),
    update("absent", { query: ofAbsent }),
    update("unknownColumn", { body: () => ({ [unknownColumn]: "a" }) }),
    update("badJson", { body: () => null, text: "{" }),
    update("condition", { headers: { ...representation, "if-match": '"mfg-compare"' } }),
    update("strict", { headers: { prefer: "return=representation, handling=strict, mfg-compare=1" } }),
    ...(required === undefined
      ? []
      : [
          update(`null.${required.name}`, {
            body: () => ({ [required.name]: null }),
            ...rule("required", required.name)
          })
        ]),
    ...columns.flatMap(({ name, type }) => {
      const value = formed[type]
      return value === undefined
        ? []
        : [update(`value.${name}`, { body: () => ({ [name]: value }), written: { column: name, value } })]
    })
  ]
}

const upserts: ReadonlyArray<Step> = (["merge", "ignore"] as const)
  .map((resolution): Step => ({
    name: `upsert.${resolution}`,
    verb: "upsert",
    method: "POST",
    query: ({ resource }) => `?on_conflict=${resource.key}`,
    headers: { prefer: `return=representation, resolution=${resolution}-duplicates`, "content-profile": "public" },
    body: ({ first, key, resource }) => ({ ...first, [resource.key]: key })
  }))
  .concat({
    name: "upsert.put",
    verb: "upsert",
    method: "PUT",
    query: ofKey,
    headers: { ...representation, "content-profile": "public" },
    body: ({ first, key, resource }) => ({ ...first, [resource.key]: key })
  })

const remove = (name: string, step: Partial<Step> = {}): Step => ({
  name: `delete${name === "" ? "" : `.${name}`}`,
  verb: "delete",
  method: "DELETE",
  query: ofKey,
  headers: {},
  ...step
})

const removals: ReadonlyArray<Step> = [
  remove(""),
  remove("again"),
  remove("absent", { query: ofAbsent }),
  remove("absent.representation", { query: ofAbsent, headers: representation })
]

/** The steps after the first. */
export const make = (resource: Resource.Any, nameColumn: string): ReadonlyArray<Step> => [
  ...creates(resource, nameColumn),
  ...updates(resource, nameColumn),
  ...upserts,
  ...removals
]

/** The random rows of a resource, of its parents and of its children. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as fc from "effect/FastCheck"
import * as Random from "../sql/random.ts"
import * as Sample from "../suite/Sample.ts"
import * as Service from "../suite/Service.ts"
import type { Draw } from "./Draw.ts"

export interface Family {
  readonly root: Resource.Any
  /** Parents first. */
  readonly resources: ReadonlyArray<Resource.Any>
  readonly rows: ReadonlyMap<Resource.Any, ReadonlyArray<JsonObject>>
}

type Rows = Family["rows"]

const { companyId } = Service.members.operator

const keys = ["a", "B", "a b", "é", "ﬀ", 'q"c', "a,b", "x.y", "(p)", "%5f", "😀", "\\"]

/** References to rows that do not exist. */
const dangling = ["nobody", ""]

/** Texts of one instant, and of some close to it. */
const timestamps = [
  "2026-01-31T00:00:00Z",
  "2026-01-30T24:00:00Z",
  "2026-01-31T02:00+02:00",
  "2026-W05-6T00:00:00.000000999Z",
  "2026-031T00:00:00,000001Z",
  "2026-01-30T23:59:59.999999999"
]

const referenceOf = (resource: Resource.Any, column: string) =>
  Catalogue.references.find((reference) => reference.child === resource && reference.column === column)

/** A valid row if its parents exist; the key is in the body, as in PostgREST. */
export const row = (draw: Draw, resource: Resource.Any, key: string, rows: Rows): JsonObject => {
  const drawn = draw.of(Random.row(resource, key))
  const given: { [column: string]: Json } = {}
  for (const { address, name, nullable, type, vocabulary, write } of Column.fromResource(resource)) {
    if (write === "never" && name !== resource.key) continue
    const value = drawn[name] ?? null
    const reference = referenceOf(resource, name)
    if (name === "companyId") given[name] = companyId
    else if (name === resource.key) given[name] = key
    else if (reference !== undefined && draw.chance(15)) given[name] = draw.one(dangling)
    else if (reference !== undefined) {
      const parents = rows.get(reference.parent) ?? []
      const isNone = parents.length === 0 || (nullable && draw.chance(25))
      given[name] = isNone ? null : (draw.one(parents)[reference.field] ?? null)
    } else if (value === null) given[name] = null
    else if (vocabulary !== undefined) given[name] = draw.one(vocabulary.known)
    else if (type === "timestamp" && draw.chance(50)) given[name] = draw.one(timestamps)
    else given[name] = address ? `https://${name}.example/${draw.upTo(3)}` : value
  }
  return given
}

/** Distinct keys in no order. */
const keysFor = (draw: Draw, resource: Resource.Any, count: number): ReadonlyArray<string> => {
  const words = Column.byName(resource).get(resource.key)?.vocabulary?.known ?? keys
  return draw.of(fc.shuffledSubarray([...words], { minLength: Math.min(count, words.length), maxLength: count }))
}

/** Resources with array columns, drawn more often because arrays have many cases. */
const withLists = Catalogue.resources.filter((resource: Resource.Any) =>
  Column.fromResource(resource).some(({ type }) => type === "array")
)

export const make = (draw: Draw): Family => {
  const root = draw.one<Resource.Any>(draw.chance(40) ? withLists : Catalogue.resources)
  const children = draw.some(
    Catalogue.references.filter(({ parent }) => parent === root).map(({ child }) => child),
    2
  )
  const members = new Set([root, ...children].flatMap((resource) => [resource, ...Sample.ancestors(resource)]))
  const resources = Catalogue.importOrder.filter((resource) => members.has(resource))
  const rows = new Map<Resource.Any, ReadonlyArray<JsonObject>>()
  for (const resource of resources) {
    const count = resource === root ? 2 + draw.upTo(6) : 1 + draw.upTo(3)
    rows.set(
      resource,
      keysFor(draw, resource, count).map((key) => row(draw, resource, key, rows))
    )
  }
  return { root, resources, rows }
}

/** Mostly a value that is stored in the column, otherwise one that could be. */
export const valueAt = (draw: Draw, { rows }: Family, resource: Resource.Any, column: string): Json => {
  const standing = rows.get(resource) ?? []
  const found = standing.length === 0 || draw.chance(30) ? undefined : draw.one(standing)[column]
  return found ?? draw.of(Random.row(resource, draw.one(keys)))[column] ?? null
}

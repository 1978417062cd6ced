/**
 * Lists the probes that read a resource, from its declaration in the catalogue: a new resource needs no other code.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Ask from "./Ask.ts"
import * as FilterProbes from "./FilterProbes.ts"
import { absent, type Probe, unknownColumn } from "./Probe.ts"
import {
  columnsByType,
  encode,
  keyOf,
  probe,
  refused,
  sampleSize,
  type SampleRow,
  success,
  unauthorized
} from "./RowProbe.ts"

const embedProbes = (resource: Resource.Any, path: string): ReadonlyArray<Probe> => [
  ...Catalogue.relations(resource).map(({ cardinality, column, reference, target }) =>
    probe(
      `list.embed.${target.resource}.${cardinality === "one" ? column : reference.column}`,
      `${path}?select=${resource.key},${target.resource}!${reference.column}(${target.key})&limit=1`
    )
  ),
  probe("list.embed.unknown", `${path}?select=${resource.key},${unknownColumn}(id)&limit=1`, { expect: refused })
]

const orderProbes = (resource: Resource.Any, path: string): ReadonlyArray<Probe> => {
  const { nullable, number, text, timestamp } = columnsByType(resource)
  const columns = [
    ...new Set([resource.key, text, number, timestamp, ...nullable].filter((name) => name !== undefined))
  ]
  return [
    ...columns.flatMap((column) =>
      (["asc", "desc"] as const).map((direction) =>
        probe(`list.order.${column}.${direction}`, `${path}?order=${column}.${direction}&limit=${sampleSize}`, {
          order: { column, direction, isTime: column === timestamp },
          expect: success
        })
      )
    ),
    ...nullable.slice(0, 1).flatMap((column) =>
      ["nullsfirst", "nullslast"].map((nulls) =>
        probe(`list.order.${nulls}`, `${path}?order=${column}.asc.${nulls}&limit=${sampleSize}`, {
          order: { column, direction: "asc", isTime: column === timestamp },
          expect: success
        })
      )
    ),
    probe("list.order.unknownColumn", `${path}?order=${unknownColumn}.asc&limit=1`, { expect: refused }),
    probe("list.order.badDirection", `${path}?order=${resource.key}.upwards&limit=1`, { expect: refused })
  ]
}

const pageProbes = (path: string): ReadonlyArray<Probe> => {
  const count = (kind: string) => ({ headers: { prefer: `count=${kind}` } })
  const range = (rows: string, more: Ask.Request["headers"] = {}) => ({
    headers: { "range-unit": "items", range: rows, ...more }
  })
  return [
    probe("list.limit", `${path}?limit=1`, { expect: success }),
    probe("list.limit.zero", `${path}?limit=0`, { expect: success }),
    probe("list.limit.bad", `${path}?limit=few`),
    probe("list.limit.negative", `${path}?limit=-1`),
    probe("list.offset", `${path}?limit=1&offset=1`, { expect: success }),
    probe("list.offset.far", `${path}?limit=1&offset=1000000`, { expect: success }),
    probe("list.offset.bad", `${path}?limit=1&offset=few`),
    probe("list.count.exact", `${path}?limit=1`, { ...count("exact"), expect: success }),
    probe("list.count.planned", `${path}?limit=1`, count("planned")),
    probe("list.count.estimated", `${path}?limit=1`, count("estimated")),
    probe("list.count.far", `${path}?limit=1&offset=1000000`, count("exact")),
    probe("list.count.unknown", `${path}?limit=1`, count("some")),
    probe("list.range", path, { ...range("0-0"), expect: success }),
    probe("list.range.count", path, range("0-0", { prefer: "count=exact" })),
    probe("list.range.far", path, range("1000000-1000001", { prefer: "count=exact" })),
    probe("list.range.bad", `${path}?limit=1`, range("5-2"))
  ]
}

const formatProbes = (path: string): ReadonlyArray<Probe> => {
  const accept = (type: string) => ({ headers: { accept: type } })
  return [
    probe("list.csv", `${path}?limit=1`, accept("text/csv")),
    probe("list.xml", `${path}?limit=1`, accept("application/xml")),
    probe("list.array", `${path}?limit=1`, accept("application/vnd.pgrst.array+json")),
    probe("list.profile.unknown", `${path}?limit=1`, { headers: { "accept-profile": "mfg_compare" } }),
    probe("list.preference.unknown", `${path}?limit=1`, { headers: { prefer: "handling=strict, mfg-compare=1" } })
  ]
}

const keyProbes = (resource: Resource.Any, path: string): ReadonlyArray<Probe> => [
  probe("list.key.none", `${path}?limit=1`, { credentials: "none", expect: unauthorized }),
  probe("list.key.unknown", `${path}?limit=1`, { credentials: "unknown", expect: unauthorized }),
  probe("list.method.unknown", `${path}?limit=1`, { method: "PROPFIND" }),
  probe("head", `${path}?limit=1`, { method: "HEAD", expect: success }, "head"),
  probe("head.count", `${path}?limit=1`, { method: "HEAD", headers: { prefer: "count=exact" } }, "head"),
  probe("head.absent", `${path}?${resource.key}=eq.${absent}`, { method: "HEAD" }, "head"),
  probe("options", path, { method: "OPTIONS" }, "options"),
  probe(
    "options.cors",
    path,
    {
      method: "OPTIONS",
      credentials: "none",
      headers: { origin: "https://app.example", "access-control-request-method": "GET" }
    },
    "options"
  )
]

const retrieveProbes = (resource: Resource.Any, path: string, key: string | undefined): ReadonlyArray<Probe> => {
  const object = { headers: { accept: "application/vnd.pgrst.object+json" } }
  const missing = `${path}?${resource.key}=eq.${absent}`
  const ofAbsent = [
    probe("retrieve.absent", missing, {}, "retrieve"),
    probe("retrieve.absent.object", missing, object, "retrieve")
  ]
  if (key === undefined) return ofAbsent
  const present = `${path}?${resource.key}=eq.${encode(key)}`
  const known = { isOfKnownRows: true, values: [key], expect: success } as const
  return [
    ...ofAbsent,
    probe("retrieve", present, { ...known, reads: "rows" }, "retrieve"),
    probe("retrieve.object", present, { ...known, ...object }, "retrieve"),
    probe("retrieve.select", `${present}&select=${resource.key}`, { ...known, columns: [resource.key] }, "retrieve")
  ]
}

/** The probe whose rows are the sample. */
export const sample = (resource: Resource.Any): Probe =>
  probe("list", `/${resource.resource}?limit=${sampleSize}`, { reads: "rows", expect: success })

/** The probe of one column. */
export const column = (resource: Resource.Any, name: string): Probe =>
  probe(`list.select.${name}`, `/${resource.resource}?select=${encode(name)}&limit=1`, {
    columns: [name],
    ...(Column.byName(resource).has(name) ? { expect: success } : {})
  })

/** The probes of a resource besides the sample. */
export const make = (resource: Resource.Any, row: SampleRow): ReadonlyArray<Probe> => {
  const path = `/${resource.resource}`
  const names = Column.fromResource(resource).map(({ name }) => name)
  return [
    probe("list.select", `${path}?select=${names.join(",")}&limit=1`, { columns: names, expect: success }),
    probe("list.select.alias", `${path}?select=mfgKey:${resource.key}&limit=1`, {
      columns: ["mfgKey"],
      expect: success
    }),
    probe("list.select.cast", `${path}?select=${resource.key}::text&limit=1`, { columns: [resource.key] }),
    probe("list.select.unknownColumn", `${path}?select=${unknownColumn}&limit=1`, { expect: refused }),
    ...orderProbes(resource, path),
    ...pageProbes(path),
    ...FilterProbes.make(resource, path, row),
    ...embedProbes(resource, path),
    ...formatProbes(path),
    ...keyProbes(resource, path),
    ...retrieveProbes(resource, path, keyOf(resource, row))
  ]
}

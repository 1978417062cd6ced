/**
 * Draws random writes: creates of one or several rows, upserts, updates, replacements and deletes, with preferences.
 */
import * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Csv from "../../src/rows/Csv.ts"
import * as Slices from "../../src/world/Slices.ts"
import type { Draw } from "./Draw.ts"
import * as Family from "./Family.ts"
import * as Reads from "./Reads.ts"

const postgrest = { "content-profile": "public", "accept-profile": "public" }

const prefer = (draw: Draw, more: ReadonlyArray<string> = []): string => {
  const all = [
    ...more,
    ...(draw.chance(70) ? [`return=${draw.one(["representation", "minimal", "headers-only"])}`] : []),
    ...(draw.chance(10) ? ["tx=rollback"] : []),
    ...(draw.chance(10) ? ["missing=default"] : []),
    ...(draw.chance(15) ? [`handling=strict, max-affected=${draw.upTo(4)}`] : []),
    ...(draw.chance(15) ? ["count=exact"] : [])
  ]
  return all.join(", ")
}

const newKeys = ["new", "nëw", "a", "B", "z z"]

/** A new or existing row, sometimes with an invalid value. */
const body = (draw: Draw, { root, rows }: Family.Family): JsonObject => {
  const standing = (rows.get(root) ?? []).map((row) => String(row[root.key]))
  const key = draw.one([...newKeys, ...standing])
  const row: { [column: string]: Json } = { ...Family.row(draw, root, key, rows) }
  if (draw.chance(12)) {
    const { name } = draw.one(Column.fromResource(root))
    row[name] = draw.one<Json>([null, 7, "nobody", true, {}, ["x"], "2026-02-30"])
  }
  if (draw.chance(4)) row["noSuchColumn"] = 1
  if (draw.chance(10)) delete row[draw.one(Object.keys(row))]
  return row
}

/** The row without the fields that callers of the contract's shape may not set. */
const ofContract = (resource: Resource.Any, row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => Column.byName(resource).get(name)?.write !== "never"))

const create = (draw: Draw, family: Family.Family): Reads.Question => {
  const { root } = family
  const isPublic = draw.chance(60)
  const isBulk = draw.chance(40)
  const resolution = isPublic && draw.chance(70) ? `resolution=${draw.one(["merge", "ignore"])}-duplicates` : undefined
  const rows = Array.from({ length: isBulk ? 1 + draw.upTo(4) : 1 }, () => body(draw, family)).map((row) =>
    resolution === undefined ? ofContract(root, row) : row
  )
  const isCsv = isPublic && draw.chance(20)
  const names = Object.keys(rows[0] ?? {})
  const parameters = [
    ...(draw.chance(10) ? [["columns", names.slice(0, 1 + draw.upTo(names.length)).join(",")] as const] : []),
    ...(resolution !== undefined && draw.chance(20)
      ? [["on_conflict", draw.one([root.key, ...root.rules.unique.map(({ columns }) => columns.join(","))])] as const]
      : []),
    ...Reads.selection(draw, family, false)
  ]
  const headers = {
    prefer: prefer(draw, resolution === undefined ? [] : [resolution]),
    ...(isPublic ? postgrest : {}),
    ...(isCsv ? { "content-type": "text/csv" } : {}),
    ...(draw.chance(15) ? { accept: draw.one(Reads.accepts) } : {})
  }
  const isList = (name: string): boolean => Column.byName(root).get(name)?.type === "array"
  return {
    method: "POST",
    target: Reads.target(root, parameters),
    asking: { headers, body: isCsv ? Slices.run(Csv.print(rows, isList)) : isBulk ? rows : rows[0] }
  }
}

const where = (draw: Draw, family: Family.Family) => {
  const { key } = family.root
  const found = String(Family.valueAt(draw, family, family.root, key))
  return draw.chance(50) ? [[key, `eq.${found}`] as const] : Reads.filters(draw, family, family.root, 2)
}

const headersOf = (draw: Draw) => ({
  prefer: prefer(draw),
  ...(draw.chance(50) ? postgrest : {}),
  ...(draw.chance(15) ? { accept: draw.one(Reads.accepts) } : {})
})

const patch = (draw: Draw, family: Family.Family): Reads.Question => {
  const { root } = family
  const row = ofContract(root, body(draw, family))
  const names = draw.some(Object.keys(row), 3)
  const set = Object.fromEntries(names.map((name) => [name, row[name] ?? null]))
  const parameters = [...where(draw, family), ...Reads.selection(draw, family, false)]
  if (draw.chance(10)) parameters.push(["limit", "2"], ["order", root.key])
  return { method: "PATCH", target: Reads.target(root, parameters), asking: { headers: headersOf(draw), body: set } }
}

const put = (draw: Draw, family: Family.Family): Reads.Question => {
  const { root } = family
  const row = body(draw, family)
  const parameters = [[root.key, `eq.${String(row[root.key])}`] as const]
  return { method: "PUT", target: Reads.target(root, parameters), asking: { headers: headersOf(draw), body: row } }
}

const remove = (draw: Draw, family: Family.Family): Reads.Question => {
  const parameters = [...where(draw, family), ...Reads.selection(draw, family, false)]
  return { method: "DELETE", target: Reads.target(family.root, parameters), asking: { headers: headersOf(draw) } }
}

/** A write to the rows of a family's root. */
export const change = (draw: Draw, family: Family.Family): Reads.Question =>
  draw.one([create, create, create, patch, patch, put, remove])(draw, family)

/** Draws random reads in PostgREST's syntax: filters and their trees, selections, embeds, orders and pages. */
import * as ArrayLiteral from "@mfgdata/domain/ArrayLiteral"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Filter from "@mfgdata/domain/Filter"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Select from "@mfgdata/domain/Select"
import type * as Service from "../suite/Service.ts"
import type { Draw } from "./Draw.ts"
import * as Family from "./Family.ts"

export interface Question {
  readonly method: string
  readonly target: string
  readonly asking: Pick<Service.Asking, "headers" | "body">
}

type Parameter = readonly [name: string, value: string]

export const target = (resource: Resource.Any, parameters: ReadonlyArray<Parameter>): string =>
  [
    `/rest/${resource.resource}`,
    parameters.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")
  ]
    .filter((part) => part !== "")
    .join("?")

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value)

const written = (value: Json): string => {
  if (typeof value === "string") return value
  const isTexts = isList(value) && value.every((item) => typeof item === "string")
  return isTexts ? ArrayLiteral.print(value) : JSON.stringify(value)
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`

const members = ["a", "b", "0", "-1", "e.f"]

/** A column, sometimes with a path into its JSON. */
const place = (draw: Draw, resource: Resource.Any): readonly [column: Column.Column, path: string] => {
  const columns = Column.fromResource(resource)
  const jsons = columns.filter(({ type }) => type === "object" || type === "array")
  const column = draw.one(jsons.length > 0 && draw.chance(30) ? jsons : columns)
  const isNested = (column.type === "object" || column.type === "array") && draw.chance(50)
  if (!isNested) return [column, column.name]
  const steps = draw.chance(30) ? [draw.one(members), draw.one(members)] : [draw.one(members)]
  const last = steps.length - 1
  return [
    column,
    column.name + steps.map((key, at) => `${at === last && draw.chance(60) ? "->>" : "->"}${key}`).join("")
  ]
}

const comparing = ["eq", "neq", "gt", "gte", "lt", "lte", "isdistinct"] as const

const equality = ["eq", "neq", "isdistinct", "in"] as const

const operatorsOf = (draw: Draw, type: Column.Type, isNested: boolean): string => {
  if (draw.chance(4)) return draw.one(Filter.operators)
  if (isNested) return draw.one([...comparing, "like", "in", "is", "cs", "cd"])
  switch (type) {
    case "text":
      return draw.one([...comparing, "like", "ilike", "match", "imatch", "in", "in", "is", ...Filter.searchOperators])
    case "object":
      return draw.one(["cs", "cd", "is", ...equality, ...Filter.searchOperators])
    case "array":
      return draw.one(["cs", "cd", "ov", "ov", "is", ...equality])
    default:
      return draw.one([...comparing, "in", "is"])
  }
}

const elements: ReadonlyArray<Json> = ["a", "b", "é", "", 1, null, true, { a: 1 }, [0]]
const patterns = ["*a*", "a_", "%", "*é", "a\\%b", "*", "A*", "_"]
const expressions = ["^a", "b$", ".", "[ab]+", "a|é", "^$", "(ab)?", "\\d", "[", "a{2}"]
const searches = ["a", "ab", "a & b", "a | ab", "!a", "it's", '"a b"', "é -a", "ﬀ", "a:*", "a <-> b"]

/** An operator and its value; `inTree` quotes commas and brackets. */
const condition = (draw: Draw, family: Family.Family, resource: Resource.Any, inTree: boolean): Parameter => {
  const [{ name, type }, path] = place(draw, resource)
  const operator = operatorsOf(draw, type, path !== name)
  const value = () => {
    const found = Family.valueAt(draw, family, resource, name)
    if (isList(found) && draw.chance(60)) return written([...draw.some(found, 2), draw.one<Json>(elements)])
    const text = written(found ?? draw.one(["", "0", "2026-02-01", "true"]))
    return draw.chance(5) ? (Array.from(text)[0] ?? "") : text
  }
  const not = draw.chance(15) ? "not." : ""
  const shown = (text: string) => (inTree ? quoted(text) : text)
  const list = () => Array.from({ length: draw.upTo(3) + 1 }, value)
  const tell = (): string => {
    switch (operator) {
      case "in":
        return `(${list().map(quoted).join(",")})`
      case "is":
        return draw.one(type === "boolean" || draw.chance(10) ? Filter.isValues : ["null", "not_null"])
      case "like":
      case "ilike":
        return shown(draw.one(patterns))
      case "match":
      case "imatch":
        return shown(draw.one(expressions))
      case "fts":
      case "plfts":
      case "phfts":
      case "wfts":
        return shown(draw.one(searches))
      default:
        return shown(value())
    }
  }
  const isQuantified = Filter.quantifiableOperators.some((name) => name === operator) && draw.chance(10)
  return isQuantified
    ? [path, `${not}${operator}(${draw.one(Filter.quantifiers)}).${shown(ArrayLiteral.print(list()))}`]
    : [path, `${not}${operator}.${tell()}`]
}

const tree = (draw: Draw, family: Family.Family, resource: Resource.Any, depth: number): string => {
  const parts = Array.from({ length: 1 + draw.upTo(2) }, () => {
    if (depth > 0 && draw.chance(30)) return tree(draw, family, resource, depth - 1)
    return condition(draw, family, resource, true).join(".")
  })
  return `${draw.one(["and", "or", "not.and", "not.or"])}(${parts.join(",")})`
}

export const filters = (
  draw: Draw,
  family: Family.Family,
  resource: Resource.Any,
  most: number,
  prefix = ""
): ReadonlyArray<Parameter> =>
  Array.from({ length: draw.upTo(most) }, (): Parameter => {
    if (draw.chance(70)) {
      const [path, test] = condition(draw, family, resource, false)
      return [prefix + path, test]
    }
    const text = tree(draw, family, resource, 2)
    const at = text.indexOf("(")
    return [prefix + text.slice(0, at), text.slice(at)]
  })

const orderBy = (draw: Draw, resource: Resource.Any): string =>
  Array.from({ length: 1 + draw.upTo(1) }, () => {
    const [, path] = place(draw, resource)
    return path + draw.one(["", ".asc", ".desc"]) + draw.one(["", ".nullsfirst", ".nullslast"])
  }).join(",")

const casts = ["text", "int", "numeric", "float8", "bool", "date", "timestamptz", "jsonb", "varchar", "nothing"]

const selected = (draw: Draw, resource: Resource.Any): string => {
  const [, path] = place(draw, resource)
  const alias = draw.chance(20) ? `${draw.one(["x", "y", "longer"])}:` : ""
  const cast = draw.chance(15) ? `::${draw.one(casts)}` : ""
  return alias + path + cast
}

/** Embeds, with the parameters of each. */
const embeds = (draw: Draw, family: Family.Family, resource: Resource.Any, depth: number, prefix: string) => {
  const relations = Catalogue.relations(resource).filter(
    ({ target }) => family.resources.includes(target) || draw.chance(3)
  )
  const parameters: Array<Parameter> = []
  const texts = draw.some(relations, 2).map(({ cardinality, reference, target }): string => {
    const name = target.resource
    const path = `${prefix}${name}.`
    const spread = draw.chance(15) ? "..." : ""
    const hint = draw.chance(60) ? `!${reference.child.resource}_${reference.column}_fkey` : ""
    const inner = draw.chance(25) ? "!inner" : ""
    parameters.push(...filters(draw, family, target, 1, path))
    if (draw.chance(30)) parameters.push([`${path}order`, orderBy(draw, target)])
    if (cardinality === "many" && draw.chance(30)) parameters.push([`${path}limit`, String(draw.upTo(3))])
    if (cardinality === "many" && draw.chance(15)) parameters.push([`${path}offset`, String(draw.upTo(2))])
    if (draw.chance(10)) parameters.push([`${prefix}${name}`, draw.one(["is.null", "not.is.null"])])
    const nested = depth > 0 && draw.chance(30) ? embeds(draw, family, target, depth - 1, path) : undefined
    parameters.push(...(nested?.parameters ?? []))
    const columns = draw.chance(40) ? ["*"] : [selected(draw, target), selected(draw, target)]
    return `${spread}${name}${hint}${inner}(${[...columns, ...(nested?.texts ?? [])].join(",")})`
  })
  return { texts, parameters }
}

const aggregated = (draw: Draw, resource: Resource.Any): string =>
  draw.chance(30) ? "count()" : `${draw.one(Column.fromResource(resource)).name}.${draw.one(Select.aggregates)}()`

/** The `select` parameter, with the parameters of its embeds. */
export const selection = (draw: Draw, family: Family.Family, isRead: boolean): ReadonlyArray<Parameter> => {
  const { root } = family
  if (draw.chance(35)) return []
  if (isRead && draw.chance(12)) {
    const groups = draw.chance(50) ? [selected(draw, root)] : []
    return [["select", [...groups, aggregated(draw, root)].join(",")]]
  }
  const columns = draw.chance(50) ? ["*"] : Array.from({ length: 1 + draw.upTo(3) }, () => selected(draw, root))
  const { parameters, texts } = draw.chance(60) ? embeds(draw, family, root, 1, "") : { parameters: [], texts: [] }
  return [["select", [...columns, ...texts].join(",")], ...parameters]
}

export const accepts = [
  "application/json",
  "text/csv",
  "application/vnd.pgrst.object+json",
  "application/vnd.pgrst.array+json;nulls=stripped"
]

/** A read of the rows of a family's root. */
export const question = (draw: Draw, family: Family.Family): Question => {
  const { root } = family
  const parameters: Array<Parameter> = [...selection(draw, family, true), ...filters(draw, family, root, 3)]
  if (draw.chance(60)) parameters.push(["order", orderBy(draw, root)])
  if (draw.chance(25)) parameters.push(["limit", String(draw.upTo(6))])
  if (draw.chance(20)) parameters.push(["offset", String(draw.upTo(4))])
  const headers = {
    ...(draw.chance(20) ? { range: `${draw.upTo(3)}-${draw.one(["", "2", "5"])}` } : {}),
    ...(draw.chance(40) ? { prefer: `count=${draw.one(["exact", "planned", "estimated"])}` } : {}),
    ...(draw.chance(30) ? { accept: draw.one(accepts) } : {}),
    ...(draw.chance(50) ? { "accept-profile": "public" } : {})
  }
  return { method: draw.chance(8) ? "HEAD" : "GET", target: target(root, parameters), asking: { headers } }
}

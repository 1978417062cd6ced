/**
 * Makes the schema of the rows of a selection, as `Query.SelectedRow` is their type.
 */
import * as Schema from "effect/Schema"
import * as Column from "./Column.ts"
import * as Json from "./Json.ts"
import * as Resource from "./Resource.ts"
import * as Selection from "./Selection.ts"

type Fields = { [name: string]: Schema.Schema.AnyNoContext }

/** Reports whether one or many rows of a resource belong to a row; `undefined` without a reference between the two. */
const cardinality = (from: Resource.Any, to: Resource.Any): "one" | "many" | undefined => {
  const refers = (child: Resource.Any, parent: Resource.Any) =>
    Column.fromResource(child).some(({ reference }) => reference?.resource === parent.resource)
  return refers(from, to) ? "one" : refers(to, from) ? "many" : undefined
}

/** The schema of embedded rows: one row, one row or null, or an array. */
const related = (
  from: Resource.Any,
  { item, resource }: Selection.AnyEmbedding,
  schema: Schema.Schema.AnyNoContext
): Schema.Schema.AnyNoContext => {
  switch (cardinality(from, resource)) {
    case "one":
      return item.join === "inner" ? schema : Schema.NullOr(schema)
    case "many":
      return Schema.Array(schema)
    case undefined:
      return Schema.Unknown
  }
}

const columnOf = (resource: Resource.Any, name: string): Schema.Schema.AnyNoContext => {
  const column = resource.columns[name]
  // A column that this version does not know is any JSON.
  return Schema.isSchema(column) ? (column as Schema.Schema.AnyNoContext) : Json.Json
}

const fieldsOf = (resource: Resource.Any, selection: ReadonlyArray<unknown>): Fields => {
  const fields: Fields = {}
  // The functions of this module accept only selections.
  for (const item of selection as Selection.Selection<Resource.Any>) {
    if (item === "*") {
      for (const name of Object.keys(resource.columns)) fields[name] = columnOf(resource, name)
    } else if (typeof item === "string") {
      fields[item] = columnOf(resource, item)
    } else if (Selection.isEmbedding(item)) {
      const inner = fieldsOf(item.resource, item.select)
      if (!item.item.spread) {
        fields[item.item.alias ?? item.item.resource] = related(resource, item, Schema.Struct(inner))
      } else {
        for (const [name, schema] of Object.entries(inner)) fields[name] = related(resource, item, schema)
      }
    } else {
      for (const [alias, source] of Object.entries(item)) {
        fields[alias] = typeof source === "string" ? columnOf(resource, source) : Json.Json
      }
    }
  }
  return fields
}

/** The schema of the rows of a selection; an empty one selects all columns. */
export const schema = <R extends Resource.Any, const S extends Selection.Selection<R>>(
  resource: R,
  selection: S
): Schema.Schema<Selection.SelectedRow<R, S>, unknown> =>
  // Made item by item, as the type is; type tests and the tests of this module compare the two.
  (selection.length === 0
    ? Resource.rowSchema(resource)
    : Schema.Struct(fieldsOf(resource, selection))) as unknown as Schema.Schema<Selection.SelectedRow<R, S>, unknown>

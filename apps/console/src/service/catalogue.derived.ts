/**
 * The resources of the domain as plain data. The build evaluates this module, so that the page has neither schemas nor
 * their runtime: its exports must be JSON.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import * as Ids from "@mfgdata/domain/Ids"
import type * as Resource from "@mfgdata/domain/Resource"

/** A column, as the domain describes it. */
export type ColumnInfo = Column.Column

/** A relationship to another resource along a reference, in either direction. */
export interface RelationInfo {
  readonly column: string
  /** The name of the other resource, and its column with the same value. */
  readonly target: string
  readonly field: string
  readonly cardinality: "one" | "many"
}

export interface ResourceInfo {
  readonly name: string
  readonly key: string
  /** The name of the domain's schema of the key; none for a key that is plain text. */
  readonly keyType?: string | undefined
  readonly columns: ReadonlyArray<ColumnInfo>
  readonly relations: ReadonlyArray<RelationInfo>
}

const describe = (resource: Resource.Any): ResourceInfo => ({
  name: resource.resource,
  key: resource.key,
  keyType: Object.entries(Ids).find(([, schema]) => schema === resource.Key)?.[0],
  columns: Column.fromResource(resource),
  relations: Catalogue.relations(resource).map(({ cardinality, column, field, target }) => ({
    column,
    target: target.resource,
    field,
    cardinality
  }))
})

export const resources: ReadonlyArray<ResourceInfo> = Catalogue.resources.map(describe)

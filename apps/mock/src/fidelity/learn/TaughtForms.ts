/**
 * Declares the forms and words of columns as facts describe them, for the comparison of a taught world.
 */
import * as ColumnEvidence from "@mfgdata/client/contract/ColumnEvidence"
import type { Declared } from "@mfgdata/client/contract/Comparison"
import type { JsonType } from "@mfgdata/client/contract/Difference"
import * as Column from "@mfgdata/domain/Column"
import * as Fact from "@mfgdata/domain/Fact"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as TaughtCatalogue from "../../facts/TaughtCatalogue.ts"

const anyType: ReadonlyArray<JsonType> = ["string", "number", "boolean", "array", "object"]

export const make = (facts: ReadonlyArray<Fact.Fact>, ruleSet: RuleSet): Declared => {
  const { find } = TaughtCatalogue.make(facts, ruleSet)
  const places = new Map(facts.map((fact) => [Fact.place(fact), fact]))
  const columnOf = (resource: string, name: string) => {
    const taught = find(resource)
    return taught === undefined ? undefined : Column.byName(taught).get(name)
  }
  const typesOf = (resource: string, column: Column.Column): ReadonlyArray<JsonType> => {
    const at = `${resource} ${column.name}`
    const typed = places.get(`type ${at}`) ?? places.get(`column ${at}`)
    if (typed !== undefined && "type" in typed && typed.type === "any") return anyType
    return places.has(`number ${at}`) ? ["string"] : [ColumnEvidence.declaredType(column)]
  }
  return {
    form: ({ resource }, name) => {
      const column = columnOf(resource, name)
      return column === undefined ? undefined : { types: typesOf(resource, column), nullable: column.nullable }
    },
    words: ({ resource }, name) => columnOf(resource, name)?.vocabulary?.known ?? []
  }
}

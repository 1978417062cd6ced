/**
 * Resolves an embed's name and hint to a reference between two resources, in either direction.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Suggestion from "@mfgdata/domain/Suggestion"
import type * as Resource from "@mfgdata/domain/Resource"
import type * as Select from "@mfgdata/domain/Select"
import * as Either from "effect/Either"
import * as ConstraintName from "../../store/ConstraintName.ts"
import type { RowError } from "../RowError.ts"

/** Reports whether a name means a relation: it is the target's, the column's or the constraint's. */
const isCalled = ({ column, reference, target }: Catalogue.Relation, name: string): boolean =>
  target.resource === name ||
  ConstraintName.reference(reference) === name ||
  (reference.parent === target && reference.column === column && column === name)

const isHinted = ({ column, field, reference }: Catalogue.Relation, hint: string): boolean =>
  ConstraintName.reference(reference) === hint || column === hint || field === hint

const cardinalityOf = ({ cardinality, reference, target }: Catalogue.Relation): string =>
  cardinality === "many" ? "one-to-many" : reference.parent === target ? "many-to-one" : "one-to-one"

const candidate = (from: Resource.Any, relation: Catalogue.Relation) => {
  const { column, field, reference, target } = relation
  return {
    cardinality: cardinalityOf(relation),
    embedding: `${from.resource} with ${target.resource}`,
    relationship: `${ConstraintName.reference(reference)} using ${from.resource}(${column}) and ${target.resource}(${field})`
  }
}

/** The relation that an embed names, or an error if there is none or more than one. */
export const find = (
  from: Resource.Any,
  { hint, resource: name }: Pick<Select.Embed, "hint" | "resource">,
  relations: ReadonlyArray<Catalogue.Relation> = Catalogue.relations(from)
): Either.Either<Catalogue.Relation, RowError> => {
  const found = relations.filter(
    (relation) => isCalled(relation, name) && (hint === undefined || isHinted(relation, hint))
  )
  const [only] = found
  if (only === undefined) {
    const names = relations.map(({ target }) => target.resource)
    const nearest = Suggestion.find(name, names)
    return Either.left({ _tag: "RelationshipUnknown", from: from.resource, to: name, hint, nearest })
  }
  if (found.length === 1) return Either.right(only)
  return Either.left({
    _tag: "RelationshipAmbiguous",
    from: from.resource,
    to: name,
    candidates: found.map((relation) => candidate(from, relation)),
    hints: found.map(({ reference }) => `${name}!${ConstraintName.reference(reference)}`)
  })
}

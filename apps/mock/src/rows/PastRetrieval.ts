/**
 * Builds the statement that reads a whole row by its key as of a time. Its text is kept for each resource, and only the
 * parameters are new.
 */
import * as Memo from "@mfgdata/domain/Memo"
import type * as Resource from "@mfgdata/domain/Resource"
import type { Dialect } from "../sql/Dialect.ts"
import type { AsOf, OwnedTable } from "../sql/Owner.ts"
import * as SelectStatement from "../sql/read/SelectStatement.ts"
import type { Statement } from "../sql/Statement.ts"

/** The owner, the key and the time of the text, which are its parameters. */
const places = { companyId: "company", userId: "user", key: "key", micros: -1 }

const templates = Memo.make((dialect: Dialect) =>
  Memo.make((resource: Resource.Any): Statement => {
    const { key, micros, ...owner } = places
    const owned = { resource, owner: { ...owner, asOf: { micros, dialect } } }
    const where = [{ _tag: "Compare", operator: "eq", target: SelectStatement.keyOf(owned), value: key }] as const
    return SelectStatement.one(dialect, { owned, selection: { _tag: "Document" }, where })
  })
)

/** Reads a whole row by its key as of a time. */
export const make = (
  { owner: { companyId, userId }, resource }: OwnedTable,
  key: string,
  { dialect, micros }: AsOf
): Statement => {
  const { parameters, text } = templates(dialect)(resource)
  const values = new Map<unknown, string | number>([
    [places.companyId, companyId],
    [places.userId, userId],
    [places.key, key],
    [places.micros, micros]
  ])
  return { text, parameters: parameters.map((place) => values.get(place) ?? place), isSingle: true }
}

/**
 * Gives the rows of a store the columns of taught resources, and the store their constraints. Rows that were written
 * without facts get the columns that they lack.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Step } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import { type Fragment, identifier, literal, render, sql, text } from "../sql/Statement.ts"
import * as Table from "../sql/Table.ts"
import type { RulesViolated } from "../store/OpenError.ts"
import * as RuleSet from "../store/RuleSet.ts"
import type { Store, StoreUnavailable } from "../store/Store.ts"

/** The SQL of a dialect for the members of a document. */
interface Members {
  readonly isMissing: (document: Fragment, name: string) => Fragment
  readonly isScalar: (document: Fragment, name: string) => Fragment
  readonly add: (document: Fragment, name: string, value: Json) => Fragment
  readonly remove: (document: Fragment, name: string) => Fragment
  readonly toArray: (document: Fragment, name: string) => Fragment
}

const path = (name: string): Fragment => literal(`$.${JSON.stringify(name)}`)

const sqlite: Members = {
  isMissing: (document, name) => sql`json_type(${document}, ${path(name)}) IS NULL`,
  isScalar: (document, name) => sql`json_type(${document}, ${path(name)}) NOT IN ('array', 'null')`,
  add: (document, name, value) => sql`json_set(${document}, ${path(name)}, json(${literal(JSON.stringify(value))}))`,
  remove: (document, name) => sql`json_remove(${document}, ${path(name)})`,
  toArray: (document, name) =>
    sql`json_set(${document}, ${path(name)}, json('[' || (${document} -> ${path(name)}) || ']'))`
}

/** The document with each member by an expression of its name and value. The text of numbers is kept. */
const rebuilt = (document: Fragment, value: Fragment, where: Fragment = text("TRUE")): Fragment =>
  sql`(SELECT '{' || string_agg(to_json(d."key")::text || ':' || ${value}, ',' ORDER BY d."place") || '}'
    FROM json_each(${document}) WITH ORDINALITY AS d("key", "value", "place") WHERE ${where})::json`

const postgres: Members = {
  isMissing: (document, name) => sql`(${document} -> ${literal(name)}) IS NULL`,
  isScalar: (document, name) => sql`json_typeof(${document} -> ${literal(name)}) NOT IN ('array', 'null')`,
  add: (document, name, value) =>
    sql`(left(rtrim(${document}::text), -1) || ${literal(`,${JSON.stringify(name)}:${JSON.stringify(value)}}`)})::json`,
  remove: (document, name) => rebuilt(document, sql`d."value"::text`, sql`d."key" <> ${literal(name)}`),
  toArray: (document, name) =>
    rebuilt(
      document,
      sql`CASE d."key" WHEN ${literal(name)} THEN '[' || d."value"::text || ']' ELSE d."value"::text END`
    )
}

const members: { readonly [D in Dialect["name"]]: Members } = { sqlite, postgres }

/** The value that rows of before get in a column. */
const initial = ({ rules }: Resource.Any, name: string): Json => {
  const columnDefault = rules.defaults[name]
  return columnDefault?._tag === "Constant" ? columnDefault.value : null
}

/** The updates of the rows of a resource whose columns differ from those of the contract. */
const updates = (resource: Resource.Any, dialect: Dialect): ReadonlyArray<Fragment> => {
  const { add, isMissing, isScalar, remove, toArray } = members[dialect.name]
  const document = identifier(Table.document)
  const update = (to: Fragment, where: Fragment): Fragment =>
    sql`UPDATE ${Table.name(resource)} SET ${document} = ${to} WHERE ${where}`
  const known = Column.byName(Catalogue.find(resource.resource) ?? resource)
  const columns = Column.byName(resource)
  return [
    ...Array.from(columns.values()).flatMap(({ isOpaque, name, type }): ReadonlyArray<Fragment> => {
      if (!known.has(name)) return [update(add(document, name, initial(resource, name)), isMissing(document, name))]
      return isOpaque && type === "array" ? [update(toArray(document, name), isScalar(document, name))] : []
    }),
    ...Array.from(known.keys())
      .filter((name) => !columns.has(name))
      .map((name) => update(remove(document, name), sql`NOT (${isMissing(document, name)})`))
  ]
}

/** Teaches a store. Doing it again changes nothing. */
export const teach = (
  store: Pick<Store["Type"], "change" | "dialect" | "ruleSet" | "switchRules">,
  { resources }: Catalogue.Resources
): Effect.Effect<void, RulesViolated | StoreUnavailable> =>
  Effect.gen(function* () {
    yield* store.switchRules(yield* store.ruleSet, RuleSet.overlayOf(resources))
    const steps = resources
      .flatMap((resource) => updates(resource, store.dialect))
      .map((fragment): Step => ({ _tag: "Run", statement: render(fragment, store.dialect) }))
    if (steps.length > 0) yield* store.change({ steps, isLong: true, resolve: () => Either.void })
    // Such an update breaks no constraint: those of facts concern columns of the table.
  }).pipe(Effect.catchTag("Refused", Effect.die))

/** The overlay that stays when an administrator changes the rule set. */
export const overlay = ({ resources }: Catalogue.Resources): RuleSet.Overlay => RuleSet.overlayOf(resources)

/**
 * Encrypts the secrets of OAuth clients between a plan and its statements, and decrypts them in responses. The database
 * cannot compare such values, so a plan that needs that is refused.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Either from "effect/Either"
import type * as Exchange from "../Exchange.ts"
import type { Condition, Related } from "../sql/read/Condition.ts"
import type { Selection } from "../sql/read/Selection.ts"
import type { Target } from "../sql/read/Target.ts"
import type { NewRow } from "../sql/write/Mutation.ts"
import * as Vault from "../store/Vault.ts"
import * as Csv from "./Csv.ts"
import type { RowPlan } from "./plan/RowPlan.ts"
import type { RowError } from "./RowError.ts"

const { oauthClient } = Catalogue.byName
const column = "clientSecret"

/** The resources whose rows can contain the secrets, by themselves or embedded. */
const reaching = ((): ReadonlySet<Resource.Any> => {
  const found = new Set<Resource.Any>([oauthClient])
  for (const resource of found) for (const { target } of Catalogue.relations(resource)) found.add(target)
  return found
})()

/** Reports whether requests for a resource can read or write the secrets. */
export const concerns = (resource: Resource.Any): boolean => reaching.has(resource)

const isSealed = (resource: Resource.Any, target: Target): boolean =>
  resource === oauthClient && target.column.name === column

const inRelated = ({ owned, where }: Related): boolean => inConditions(owned.resource, where)

/** Reports whether conditions compare the secrets. Null is stored as it is. */
const inConditions = (resource: Resource.Any, conditions: ReadonlyArray<Condition>): boolean =>
  conditions.some((condition) => {
    switch (condition._tag) {
      case "And":
      case "Or":
        return inConditions(resource, condition.conditions)
      case "Not":
        return inConditions(resource, [condition.condition])
      case "Exists":
        return inRelated(condition.related)
      case "Is":
      case "Unchanged":
        return false
      default:
        return isSealed(resource, condition.target)
    }
  })

type Order = Extract<RowPlan, { readonly _tag: "Read" }>["order"]

const inOrder = (resource: Resource.Any, order: Order): boolean =>
  order.some(({ target, through }) => isSealed(through?.owned.resource ?? resource, target))

const inSelection = (resource: Resource.Any, selection: Selection): boolean =>
  selection._tag === "Fields" &&
  (selection.fields.some(({ cast, target }) => cast !== undefined && isSealed(resource, target)) ||
    (selection.aggregates ?? []).some(({ target }) => target !== undefined && isSealed(resource, target)) ||
    (selection.aggregates !== undefined && selection.fields.some(({ target }) => isSealed(resource, target))) ||
    selection.embeds.some(
      ({ order, related, selection }) =>
        inRelated(related) || inOrder(related.owned.resource, order) || inSelection(related.owned.resource, selection)
    ))

const compares = (plan: RowPlan): boolean =>
  inSelection(plan.resource, plan.selection) ||
  ("where" in plan && (inConditions(plan.resource, plan.where) || inOrder(plan.resource, plan.order)))

/** Encrypts the secret of a row. */
export const sealRow =
  (vault: Vault.Vault, companyId: string) =>
  (row: NewRow): NewRow => {
    const secret = row[column]
    return typeof secret === "string" ? { ...row, [column]: vault.seal(Vault.ofClients(companyId), secret) } : row
  }

/** Encrypts the secrets of a plan, or refuses one that compares them. */
export const seal = (vault: Vault.Vault, plan: RowPlan): Either.Either<RowPlan, RowError> => {
  if (compares(plan)) {
    return Either.left({
      _tag: "Unsupported",
      feature: `${oauthClient.resource}.${column} is encrypted in this store: filters besides is.null, orders, casts and aggregates of it are not supported`
    })
  }
  if (plan.resource !== oauthClient) return Either.right(plan)
  const sealed = sealRow(vault, plan.owner.companyId)
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return Either.right({ ...plan, rows: plan.rows.map(sealed) })
    case "Update":
      return Either.right({ ...plan, set: sealed(plan.set) })
    case "Read":
    case "Delete":
      return Either.right(plan)
  }
}

/** Decrypts the secrets in a response. Throws for one that belongs to another company, or was changed. */
export const open = (vault: Vault.Vault, companyId: string, response: Exchange.Response): Exchange.Response => {
  const { body, headers } = response
  if (typeof body !== "string" || !body.includes(Vault.prefix)) return response
  const isCsv = headers["Content-Type"]?.startsWith("text/csv") === true
  const print = (secret: string) => (isCsv ? Csv.text(secret) : JSON.stringify(secret).slice(1, -1))
  const place = Vault.ofClients(companyId)
  return { ...response, body: body.replaceAll(Vault.pattern, (sealed) => print(vault.open(place, sealed))) }
}

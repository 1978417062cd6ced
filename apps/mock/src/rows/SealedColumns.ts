/**
 * Encrypts the secrets of OAuth clients between a plan and its statements, and decrypts them in responses. The database
 * cannot compare such values, so a plan that needs that is refused.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"
import type { Condition, Related } from "../sql/read/Condition.ts"
import type { Selection } from "../sql/read/Selection.ts"
import type { Target } from "../sql/read/Target.ts"
import type { NewRow } from "../sql/write/Mutation.ts"
import * as Vault from "../store/Vault.ts"
import * as Slices from "../world/Slices.ts"
import * as Csv from "./Csv.ts"
import type { RowPlan } from "./plan/RowPlan.ts"
import type { RowError } from "./RowError.ts"

const { oauthClient } = Catalogue.byName
const column = "clientSecret"

/** The resources whose rows can contain the secrets, by themselves or embedded. */
const reaching = ((): ReadonlySet<string> => {
  const found = new Set<Resource.Any>([oauthClient])
  for (const resource of found) for (const { target } of Catalogue.relations(resource)) found.add(target)
  return new Set(Array.from(found, ({ resource }) => resource))
})()

/** Reports whether requests for a resource can read or write the secrets. */
export const concerns = ({ resource }: Resource.Any): boolean => reaching.has(resource)

const isSealed = (resource: Resource.Any, target: Target): boolean =>
  resource.resource === oauthClient.resource && target.column.name === column

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

const sealRows = function* (vault: Vault.Vault, { owner, rows }: Insertion): Slices.Slices<ReadonlyArray<NewRow>> {
  const sealed: Array<NewRow> = []
  const seal = sealRow(vault, owner.companyId)
  for (const row of rows) {
    sealed.push(seal(row))
    yield
  }
  return sealed
}

type Insertion = Extract<RowPlan, { readonly _tag: "Insert" | "Upsert" }>

/** Encrypts the secrets of a plan, or refuses one that compares them. */
export const seal = function* (vault: Vault.Vault, plan: RowPlan): Slices.Slices<Either.Either<RowPlan, RowError>> {
  if (compares(plan)) {
    return Either.left({
      _tag: "Unsupported",
      feature: `${oauthClient.resource}.${column} is encrypted in this store: filters besides is.null, orders, casts and aggregates of it are not supported`
    })
  }
  if (plan.resource.resource !== oauthClient.resource) return Either.right(plan)
  switch (plan._tag) {
    case "Insert":
    case "Upsert":
      return Either.right({ ...plan, rows: yield* sealRows(vault, plan) })
    case "Update":
      return Either.right({ ...plan, set: sealRow(vault, plan.owner.companyId)(plan.set) })
    case "Read":
    case "Delete":
      return Either.right(plan)
  }
}

/** The length of a response that is decrypted without a pause. */
const smallLength = 64 * 1024

const opened = function* (
  vault: Vault.Vault,
  companyId: string,
  body: string,
  print: (secret: string) => string
): Slices.Slices<string> {
  const place = Vault.ofClients(companyId)
  let text = ""
  let end = 0
  for (const { 0: sealed, index } of body.matchAll(Vault.pattern)) {
    text += body.slice(end, index) + print(vault.open(place, sealed))
    end = index + sealed.length
    yield
  }
  return text + body.slice(end)
}

const inJson = (secret: string): string => JSON.stringify(secret).slice(1, -1)

/** Decrypts the secrets in a response. It dies for one that belongs to another company, or was changed. */
export const open = (
  vault: Vault.Vault,
  companyId: string,
  response: Exchange.Response
): Effect.Effect<Exchange.Response> => {
  const { body, headers } = response
  if (typeof body !== "string" || !body.includes(Vault.prefix)) return Exit.succeed(response)
  const print = headers["Content-Type"]?.startsWith("text/csv") === true ? Csv.text : inJson
  const slices = opened(vault, companyId, body, print)
  return body.length <= smallLength
    ? Exit.succeed({ ...response, body: Slices.run(slices) })
    : Effect.map(Slices.effect(slices), (body) => ({ ...response, body }))
}

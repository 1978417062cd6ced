/**
 * Plans requests in a small fixed world, from their text, as the route does.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { Scope } from "@mfgdata/domain/Scope"
import * as Either from "effect/Either"
import type { RowError } from "../../../src/rows/RowError.ts"
import * as JsonScan from "../../../src/rows/request/JsonScan.ts"
import * as Slices from "../../../src/world/Slices.ts"
import * as Planner from "../../../src/rows/plan/Planner.ts"
import type { RowPlan } from "../../../src/rows/plan/RowPlan.ts"
import * as RowRequest from "../../../src/rows/request/RowRequest.ts"

export interface Asking {
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  readonly shape?: RowRequest.Shape
  readonly rules?: RuleSet
  readonly scopes?: ReadonlyArray<Scope>
  readonly taken?: ReadonlySet<string>
}

/** The time of every plan. */
export const now = "2026-03-01T12:00:00.123Z"

export const companyId = CompanyId.make("company-1")
export const userId = UserId.make("user-1")

/** Another company of the store. */
export const otherCompany = "company-2"

/** The request `method target`; the target begins with the resource's name. */
export const request = (
  method: string,
  target: string,
  { body, headers = {}, shape = "contract" }: Asking = {}
): Either.Either<RowRequest.RowRequest, RowError> => {
  const [name = "", ...search] = target.split("?")
  const resource = Catalogue.find(name)
  if (resource === undefined) throw new Error(`no resource: ${name}`)
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
  const exchange = { method, target: `/rest/${target}`, headers, body: text }
  return RowRequest.make(exchange, resource, { mount: "/rest", search: search.join("?"), shape })
}

/** The plan of such a request; its generated ids count up. */
export const plan = (method: string, target: string, asking: Asking = {}): Either.Either<RowPlan, RowError> => {
  let ids = 0
  return Either.flatMap(request(method, target, asking), (request) =>
    Slices.run(
      Planner.make(
        request,
        {
          caller: { keyId: "key-1", companyId, userId, scopes: asking.scopes ?? ["*"] },
          rules: asking.rules ?? "contract",
          maxRows: 1000,
          now: () => Date.parse(now),
          newId: () => `id-${++ids}`,
          taken: asking.taken ?? new Set()
        },
        { ...JsonScan.limits, rows: 1000 }
      )
    )
  )
}

/** The result or the error, as one value. */
export const outcome = <A, E>(either: Either.Either<A, E>): A | E => Either.merge(either)

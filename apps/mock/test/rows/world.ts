/**
 * A row route over an embedded store in memory, with a caller who has every scope.
 */
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Caller } from "../../src/access/Caller.ts"
import type * as Exchange from "../../src/Exchange.ts"
import type * as RowRequest from "../../src/rows/request/RowRequest.ts"
import * as Consistency from "../../src/access/Consistency.ts"
import * as RowRoute from "../../src/rows/RowRoute.ts"
import * as SqliteStore from "../../src/store/sqlite/SqliteStore.ts"
import * as IdGenerator from "../../src/world/IdGenerator.ts"

const moment = "2026-03-01T12:00:00Z"

export const caller: Caller = {
  keyId: "key-1",
  companyId: CompanyId.make("company-1"),
  userId: UserId.make("user-1"),
  scopes: ["*"]
}

/** A caller of another company. */
export const stranger: Caller = { ...caller, companyId: CompanyId.make("company-2"), userId: UserId.make("user-2") }

export interface Asking {
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
  readonly shape?: RowRequest.Shape
  readonly caller?: Caller
}

export interface World {
  readonly route: RowRoute.RowRoute
  /** The response to `method target`; the target begins with the resource's name. */
  readonly ask: (method: string, target: string, asking?: Asking) => Effect.Effect<Exchange.Response>
}

const exchange = (method: string, target: string, { body, headers = {} }: Asking): Exchange.Request => ({
  method,
  target: `/rest/${target}`,
  headers,
  body: body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)
})

export const make = (ruleSet: RuleSet = "contract"): Effect.Effect<World, unknown, Scope.Scope> =>
  Effect.map(SqliteStore.open({ path: ":memory:", ruleSet }), (store) => {
    const now = () => Date.parse(moment)
    const route = RowRoute.make({
      world: {
        store,
        now,
        newId: IdGenerator.make(now, 1),
        rules: () => ruleSet
      },
      consistency: Consistency.make(store),
      maxRows: 1000,
      maxBatch: 10_000
    })
    const ask: World["ask"] = (method, target, asking = {}) => {
      const [name = "", ...search] = target.split("?")
      const { shape = "contract" } = asking
      return route(exchange(method, target, asking), asking.caller ?? caller, name, {
        mount: shape === "contract" ? "/rest" : "/rest/v1",
        search: search.join("?"),
        shape
      })
    }
    return { route, ask }
  })

/** Calls operations of a service with attributes in two companies. */
import * as Operations from "@mfgdata/domain/Operations"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Seeder from "../../src/seeds/Seeder.ts"
import * as Service from "./Service.ts"

const { colleague, operator, rival } = Service.members

const attribute = (id: string, more: object = {}) => ({ id, name: id, type: "text" as const, ...more })

/** The attribute categories and attributes of two companies; ids of the second one begin with `rival`. */
const attributes = [
  {
    id: "b-contact",
    companyId: operator.companyId,
    name: "Contact",
    emoji: "☎️",
    public: true,
    attributes: [
      attribute("pager", {
        canSelfManage: true,
        values: [
          { id: "pager-operator", userId: operator.userId, value: "1" },
          { id: "pager-colleague", userId: colleague.userId, value: "2" }
        ]
      }),
      attribute("fax", { active: false, values: [{ userId: operator.userId, value: "3" }] }),
      attribute("desk"),
      attribute("alarm", { type: "boolean" as const })
    ]
  },
  {
    id: "a-office",
    companyId: operator.companyId,
    name: "Office",
    public: false,
    attributes: [
      attribute("first-day", { type: "date" as const }),
      attribute("hours", { type: "numeric" as const }),
      attribute("deputy", { type: "user" as const }),
      attribute("contract", { type: "file" as const }),
      attribute("shift", { type: "list" as const, listOptions: ["Early", "Late"] }),
      attribute("customer", { type: "customer" as const }),
      attribute("supplier", { type: "supplier" as const })
    ]
  },
  { id: "c-empty", companyId: operator.companyId, name: "Empty", public: false, attributes: [] },
  {
    id: "d-closed",
    companyId: operator.companyId,
    name: "Closed",
    public: true,
    active: false,
    attributes: [attribute("locker")]
  },
  {
    id: "rival-contact",
    companyId: rival.companyId,
    name: "Contact",
    public: true,
    attributes: [attribute("rival-pager", { values: [{ id: "rival-value", userId: rival.userId, value: "4" }] })]
  }
]

/** The path of an operation. */
export const path = (name: string) => `/api/v1/account/${name}`

/** The operations of a service with these attributes. */
export const ready = Effect.gen(function* () {
  const { ask, world } = yield* Service.Service
  yield* Seeder.insert(world, "operations", { companies: [], users: [], attributes, rows: {} })
  const call = (name: Operations.Name, body: unknown, as?: Service.Who) =>
    ask("POST", path(name), { body, ...(as === undefined ? {} : { as }) })
  /** The response of an operation, checked against its schema. */
  const result = (name: Operations.Name, body: unknown, as?: Service.Who) =>
    Effect.map(call(name, body, as), ({ headers, status, text }): unknown => {
      assert.deepStrictEqual<unknown>([status, headers["content-type"]], [200, "application/json; charset=utf-8"], text)
      const value: unknown = JSON.parse(text)
      Schema.decodeUnknownSync(Schema.asSchema<Schema.Schema.AnyNoContext>(Operations.account[name].response))(value)
      return value
    })
  const categories = (name: Operations.Name, body: unknown, as?: Service.Who) =>
    Effect.map(result(name, body, as), Schema.decodeUnknownSync(Operations.Categories))
  return { ask, call, result, categories, world }
})

export const notFound = [404, "NOT_FOUND"]
export const badRequest = [400, "BAD_REQUEST"]

/** The paths of a refusal's issues. */
export const fieldsOf = (reply: Service.Reply): ReadonlyArray<unknown> => {
  const { data } = JSON.parse(reply.text) as { data: { issues: ReadonlyArray<{ path: ReadonlyArray<unknown> }> } }
  return data.issues.map(({ path }) => path.join("."))
}

/** The tests of one service. */
export type It = Vitest.MethodsNonLive<Service.Service>

/** Tests the operations of the contract, and their errors. */
import * as Operations from "@mfgdata/domain/Operations"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/TestClock"
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

const path = (name: string) => `/api/v1/account/${name}`

const ready = Effect.gen(function* () {
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

const notFound = [404, "NOT_FOUND"]
const badRequest = [400, "BAD_REQUEST"]

/** A valid body for each operation. */
const bodies: { readonly [N in Operations.Name]: object } = {
  getNotificationPreferences: {},
  upsertNotificationPreference: { topic: "sales", channel: "email", enabled: true },
  deleteUserAttributeValue: { userAttributeId: "none", userAttributeValueId: "none" },
  getAccount: { id: operator.userId },
  getCurrentUser: {},
  getAttributes: { isPublic: true },
  getPrivateAttributes: {},
  getPublicAttributes: {},
  getAllAttributeCategories: {},
  getAttributeCategoryWithValues: { categoryId: "c-empty" },
  updateAvatar: { avatarUrl: null },
  updatePublicAccount: { id: operator.userId, firstName: "operator", lastName: "Desk" },
  upsertUserAttributeValue: { userAttributeId: "desk", type: "text", value: "17" }
}

type It = Vitest.MethodsNonLive<Service.Service>

const accounts = (it: It): void => {
  it.effect("account.getCurrentUser: 'the profile of the user that owns the calling key'", () =>
    Effect.gen(function* () {
      const { result } = yield* ready
      for (const as of ["operator", "colleague", "rival"] as const) {
        const { userId } = Service.members[as]
        const names = { firstName: as, lastName: "Desk", fullName: null }
        const expected = { id: userId, email: `${as}@example.com`, ...names, avatarUrl: null }
        if (as !== "operator") assert.deepStrictEqual(yield* result("getCurrentUser", {}, as), expected)
      }
    })
  )

  it.effect("account.getAccount: 'All keys are present', for a user of the caller's company only", () =>
    Effect.gen(function* () {
      const { call, result } = yield* ready
      const account = yield* result("getAccount", { id: colleague.userId })
      assert.sameMembers(Object.keys(account as object), Object.keys(Operations.account.getAccount.response.fields))
      assert.deepInclude(account, {
        id: colleague.userId,
        about: "",
        active: true,
        admin: false,
        developer: false,
        acknowledgedITAR: false,
        isConsoleOperator: false,
        flags: {},
        phone: null,
        updatedAt: null
      })
      const foreign = yield* call("getAccount", { id: rival.userId })
      const random = yield* call("getAccount", { id: "nobody" })
      assert.deepStrictEqual<unknown>(foreign.verdict, notFound)
      assert.strictEqual(foreign.text, random.text)
    })
  )

  it.effect("account.updatePublicAccount and account.updateAvatar change the caller's own account", () =>
    Effect.gen(function* () {
      const { call, result } = yield* ready
      yield* TestClock.setTime(Date.parse("2026-02-03T04:05:06.007Z"))
      const names = { id: operator.userId, firstName: "Olive", lastName: "Rator" }
      assert.isNull(yield* result("updatePublicAccount", { ...names, about: "Plans.", phone: "+1 555" }))
      assert.isNull(yield* result("updateAvatar", { avatarUrl: "https://pictures.example/o.png" }))
      const changed = {
        ...names,
        fullName: "Olive Rator",
        about: "Plans.",
        phone: "+1 555",
        avatarUrl: "https://pictures.example/o.png",
        updatedAt: "2026-02-03T04:05:06.007Z"
      }
      assert.deepInclude(yield* result("getAccount", { id: operator.userId }, "colleague"), changed)
      assert.isNull(yield* result("updatePublicAccount", { ...names, phone: null }))
      for (const avatarUrl of [
        "javascript:alert(1)",
        "data:text/html,<b>",
        "ftp://pictures.example/o.png",
        "",
        "o.png"
      ]) {
        assert.deepStrictEqual<unknown>((yield* call("updateAvatar", { avatarUrl })).verdict, [400, "BAD_REQUEST"])
      }
      assert.isNull(yield* result("updateAvatar", { avatarUrl: null }))
      const left = { ...changed, phone: null, avatarUrl: null }
      assert.deepInclude(yield* result("getAccount", { id: operator.userId }), left)
      for (const id of [colleague.userId, rival.userId, "nobody"]) {
        assert.deepStrictEqual<unknown>((yield* call("updatePublicAccount", { ...names, id })).verdict, notFound)
      }
    })
  )
}

const preferences = (it: It): void => {
  it.effect("notification preferences are stored per user and company, one for each topic and channel", () =>
    Effect.gen(function* () {
      const { result } = yield* ready
      const stored = (as: Service.Who) => result("getNotificationPreferences", {}, as)
      assert.deepStrictEqual(yield* stored("colleague"), { results: [], count: null })
      const choices = [
        { topic: "sales", channel: "slack", enabled: true },
        { topic: "quality", channel: "email", enabled: true },
        { topic: "sales", channel: "email", enabled: false },
        { topic: "quality", channel: "email", enabled: false },
        { topic: "a topic of its own", channel: "email", enabled: true }
      ]
      for (const choice of choices) {
        assert.isNull(yield* result("upsertNotificationPreference", choice, "colleague"))
      }
      const [slack, , email, quality, own] = choices
      assert.deepStrictEqual(yield* stored("colleague"), { results: [own, quality, email, slack], count: null })
      assert.deepStrictEqual(yield* stored("rival"), { results: [], count: null })
    })
  )
}

const categories = (it: It): void => {
  it.effect("account.getAttributes returns active categories and attributes in order, with the caller's values", () =>
    Effect.gen(function* () {
      const { categories } = yield* ready
      const names = (name: Operations.Name, body: object) =>
        Effect.map(categories(name, body), ({ results }) => results.map(({ id }) => id))
      assert.deepStrictEqual<unknown>(yield* names("getAttributes", { isPublic: true }), ["b-contact"])
      assert.deepStrictEqual<unknown>(yield* names("getPublicAttributes", {}), ["b-contact"])
      assert.deepStrictEqual<unknown>(yield* names("getAttributes", { isPublic: false }), ["a-office", "c-empty"])
      assert.deepStrictEqual<unknown>(yield* names("getPrivateAttributes", {}), ["a-office", "c-empty"])
      const all = yield* categories("getAllAttributeCategories", {})
      assert.deepStrictEqual<unknown>(
        all.results.map(({ id, userAttribute }) => [id, userAttribute.map(({ id }) => id)]),
        [
          ["a-office", ["first-day", "hours", "deputy", "contract", "shift", "customer", "supplier"]],
          ["b-contact", ["pager", "desk", "alarm"]],
          ["c-empty", []]
        ]
      )
      const [, contact] = all.results
      assert.deepInclude(contact, { name: "Contact", emoji: "☎️", companyId: operator.companyId })
      const [pager] = contact?.userAttribute ?? []
      assert.deepInclude(pager, { listOptions: null, canSelfManage: true })
      assert.deepStrictEqual<unknown>(
        pager?.userAttributeValue.map(({ id, valueText }) => [id, valueText]),
        [["pager-operator", "1"]]
      )
      const seen = yield* categories("getPublicAttributes", {}, "colleague")
      assert.deepStrictEqual<unknown>(
        seen.results.flatMap(({ userAttribute }) => userAttribute[0]?.userAttributeValue.map(({ id }) => id)),
        ["pager-colleague"]
      )
      const other = yield* categories("getAllAttributeCategories", {}, "rival")
      assert.deepStrictEqual<unknown>(
        other.results.map(({ id }) => id),
        ["rival-contact"]
      )
    })
  )

  it.effect("account.getAttributeCategoryWithValues returns a category of the caller's company only", () =>
    Effect.gen(function* () {
      const { call, categories, result } = yield* ready
      const { results } = yield* categories("getPublicAttributes", {})
      assert.deepStrictEqual(yield* result("getAttributeCategoryWithValues", { categoryId: "b-contact" }), results[0])
      for (const categoryId of ["rival-contact", "nothing"]) {
        assert.deepStrictEqual<unknown>(
          (yield* call("getAttributeCategoryWithValues", { categoryId })).verdict,
          notFound
        )
      }
    })
  )
}

const values = (it: It): void => {
  it.effect("stores a value of every data type in the column of its type, one for each user and attribute", () =>
    Effect.gen(function* () {
      const { categories, result } = yield* ready
      const given = [
        ["alarm", "boolean", true, "valueBoolean", "isBoolean"],
        ["desk", "text", "Änderung 🛠", "valueText", "isText"],
        ["first-day", "date", "2024-02-29", "valueDate", "isDate"],
        ["hours", "numeric", 37.123_456_789_012_3, "valueNumeric", "isNumeric"],
        ["deputy", "user", operator.userId, "valueUser", "isUser"],
        ["contract", "file", "people/c.pdf", "valueFile", "isFile"],
        ["shift", "list", "Late", "valueText", undefined],
        ["customer", "customer", "c1", "valueText", undefined],
        ["supplier", "supplier", "s1", "valueText", undefined]
      ] as const
      const ids = new Set<unknown>()
      for (const [userAttributeId, type, value] of given) {
        const body = { userAttributeId, type, value }
        const first = yield* result("upsertUserAttributeValue", body, "colleague")
        const again = yield* result("upsertUserAttributeValue", body, "colleague")
        assert.deepStrictEqual(again, first)
        ids.add((first as { readonly id: string }).id)
      }
      assert.strictEqual(ids.size, given.length)
      const { results } = yield* categories("getAllAttributeCategories", {}, "colleague")
      const found = new Map(results.flatMap(({ userAttribute }) => userAttribute.map((one) => [String(one.id), one])))
      for (const [id, , value, column, flag] of given) {
        const { attributeDataType, userAttributeValue } = found.get(id) ?? assert.fail(id)
        const { id: dataTypeId, ...flags } = attributeDataType
        assert.isTrue(Number.isInteger(dataTypeId))
        assert.deepStrictEqual<unknown>(
          Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [name] : [])),
          flag === undefined ? [] : [flag]
        )
        assert.strictEqual(userAttributeValue.length, 1)
        const { id: _, ...columns } = userAttributeValue[0] ?? assert.fail(id)
        const filled = Object.entries(columns).filter(([, held]) => held !== null)
        assert.deepStrictEqual<unknown>(filled, [[column, value]])
      }
    })
  )

  it.effect("account.upsertUserAttributeValue replaces the value with the given id, and no other", () =>
    Effect.gen(function* () {
      const { call, result } = yield* ready
      const body = { userAttributeId: "pager", type: "text", value: "5" }
      const own = yield* result("upsertUserAttributeValue", { ...body, userAttributeValueId: "pager-operator" })
      assert.deepStrictEqual(own, { id: "pager-operator" })
      for (const userAttributeValueId of ["pager-colleague", "rival-value", "nothing"]) {
        const missed = yield* call("upsertUserAttributeValue", { ...body, userAttributeValueId })
        assert.deepStrictEqual<unknown>(missed.verdict, notFound)
      }
      for (const userAttributeId of ["rival-pager", "fax", "locker", "nothing"]) {
        const missed = yield* call("upsertUserAttributeValue", { ...body, userAttributeId })
        assert.deepStrictEqual<unknown>(missed.verdict, notFound, userAttributeId)
      }
      yield* result("upsertUserAttributeValue", { ...body, value: "1" })
    })
  )

  it.effect("account.upsertUserAttributeValue names the value that does not match the attribute", () =>
    Effect.gen(function* () {
      const { call } = yield* ready
      const wrong = [
        [{ userAttributeId: "hours", type: "text", value: "8" }, ["type", "value"]],
        [{ userAttributeId: "hours", type: "numeric", value: "8" }, ["value"]],
        [{ userAttributeId: "first-day", type: "date", value: "2023-02-29" }, ["value"]],
        [{ userAttributeId: "shift", type: "list", value: "Night" }, ["value"]],
        [{ userAttributeId: "alarm", type: "boolean", value: 1 }, ["value"]],
        [{ userAttributeId: "desk", type: "letter", value: "x" }, ["type"]],
        [{ userAttributeId: 1, type: "text", value: null }, ["userAttributeId", "value"]]
      ] as const
      for (const [body, fields] of wrong) {
        const refused = yield* call("upsertUserAttributeValue", body)
        assert.deepStrictEqual<unknown>(refused.verdict, badRequest, JSON.stringify(body))
        assert.deepStrictEqual<unknown>(fieldsOf(refused), fields)
      }
    })
  )

  it.effect("account.deleteUserAttributeValue deletes the caller's own value, and returns null in any case", () =>
    Effect.gen(function* () {
      const { categories, result } = yield* ready
      const held = (as: Service.Who) =>
        Effect.map(categories("getPublicAttributes", {}, as), ({ results }) =>
          results.flatMap(({ userAttribute }) =>
            userAttribute.flatMap(({ userAttributeValue }) => userAttributeValue.map(({ id }) => String(id)))
          )
        )
      const remove = (userAttributeId: string, userAttributeValueId: string) =>
        result("deleteUserAttributeValue", { userAttributeId, userAttributeValueId })
      for (const [attribute, value] of [
        ["pager", "pager-colleague"],
        ["rival-pager", "rival-value"],
        ["desk", "pager-operator"],
        ["pager", "nothing"],
        ["nothing", "pager-operator"]
      ] as const) {
        assert.isNull(yield* remove(attribute, value))
      }
      assert.include(yield* held("colleague"), "pager-colleague")
      assert.include(yield* held("operator"), "pager-operator")
      assert.deepStrictEqual(yield* held("rival"), ["rival-value"])
      assert.isNull(yield* remove("pager", "pager-operator"))
      assert.notInclude(yield* held("operator"), "pager-operator")
    })
  )
}

/** The paths of a refusal's issues. */
const fieldsOf = (reply: Service.Reply): ReadonlyArray<unknown> => {
  const { data } = JSON.parse(reply.text) as { data: { issues: ReadonlyArray<{ path: ReadonlyArray<unknown> }> } }
  return data.issues.map(({ path }) => path.join("."))
}

const refusals = (it: It): void => {
  it.effect("requires a JSON object as the body, and names every invalid field", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* ready
      for (const name of Object.keys(bodies) as ReadonlyArray<Operations.Name>) {
        for (const body of [undefined, "", " ", "{", "[]", "null", "7", new Uint8Array([0x22, 0xff, 0x22])]) {
          const refused = yield* ask("POST", path(name), { body })
          assert.deepStrictEqual<unknown>(refused.verdict, badRequest, `${name} ${String(body)}`)
          assert.deepStrictEqual(fieldsOf(refused), [""])
        }
        const fields = Object.keys(Operations.account[name].parameters)
        const wrong = yield* call(name, Object.fromEntries(fields.map((field) => [field, { no: 1 }])))
        if (fields.length > 0) {
          assert.deepStrictEqual<unknown>(wrong.verdict, badRequest)
          assert.sameMembers(Array.from(new Set(fieldsOf(wrong))), fields, name)
        }
      }
      const channel = yield* call("upsertNotificationPreference", { topic: "sales", channel: "pager", enabled: true })
      assert.deepStrictEqual<unknown>([channel.verdict, fieldsOf(channel)], [badRequest, ["channel"]])
      const flawed = yield* call("getAccount", { id: "\ud800" })
      assert.deepStrictEqual<unknown>([flawed.verdict, fieldsOf(flawed)], [badRequest, ["id"]])
    })
  )

  it.effect("ignores unknown keys of a body, and the query", () =>
    Effect.gen(function* () {
      const { ask, call, result } = yield* ready
      for (const name of Object.keys(bodies) as ReadonlyArray<Operations.Name>) {
        const plain = yield* result(name, bodies[name])
        assert.deepStrictEqual(
          yield* result(name, { ...bodies[name], userId: rival.userId, companyId: "rival" }),
          plain
        )
        const { text } = yield* ask("POST", `${path(name)}?isPublic=1`, { body: bodies[name] })
        assert.deepStrictEqual(JSON.parse(text), plain)
      }
      yield* call("deleteUserAttributeValue", bodies.deleteUserAttributeValue)
    })
  )

  it.effect(
    "answers an unknown operation with 404, another method with 405 and Allow, another media type with 415",
    () =>
      Effect.gen(function* () {
        const { ask } = yield* ready
        for (const name of ["getcurrentuser", "getCurrentUser//", "", "../account/getCurrentUser"]) {
          assert.deepStrictEqual<unknown>((yield* ask("POST", path(name), { body: {} })).verdict, notFound, name)
        }
        const near = yield* ask("POST", path("getCurentUser"), { body: {} })
        assert.include(near.text, "account.getCurrentUser")
        for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE"]) {
          const refused = yield* ask(method, path("getCurrentUser"))
          assert.deepStrictEqual<unknown>([refused.status, refused.headers["allow"]], [405, "POST, OPTIONS"])
        }
        const asked = yield* ask("OPTIONS", path("getCurrentUser"), { headers: { authorization: undefined } })
        assert.deepStrictEqual<unknown>([asked.status, asked.headers["allow"], asked.text], [204, "POST, OPTIONS", ""])
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
          const refused = yield* ask("POST", path("getCurrentUser"), { body: "{}", headers: { "content-type": type } })
          assert.deepStrictEqual<unknown>(refused.verdict, [415, "UNSUPPORTED_MEDIA_TYPE"])
        }
        for (const type of [
          "application/json; charset=utf-8",
          "Application/JSON",
          "application/vnd.x+json",
          "text/json",
          undefined
        ]) {
          const done = yield* ask("POST", path("getCurrentUser"), { body: "{}", headers: { "content-type": type } })
          assert.strictEqual(done.status, 200)
        }
      })
  )

  it.effect("returns errors as { defined, code, status, message, data? } with their own status", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* ready
      const refused = [
        yield* call("getAccount", {}),
        yield* call("getAccount", { id: "nobody" }),
        yield* ask("POST", path("nothing")),
        yield* ask("GET", path("getAccount")),
        yield* ask("POST", path("getAccount"), { headers: { authorization: undefined } })
      ]
      for (const { row, status } of refused) {
        assert.deepStrictEqual<unknown>([row["status"], row["defined"]], [status, false])
        assert.isString(row["message"])
        assert.sameMembers(
          Object.keys(row).filter((key) => key !== "data"),
          ["defined", "code", "status", "message"]
        )
      }
    })
  )
}

/** Runs every operation, and the errors of all. */
export const suite = (it: It): void => {
  for (const part of [accounts, preferences, categories, values, refusals]) part(it)
}

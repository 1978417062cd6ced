/** Tests the operations of the contract, and their errors. */
import * as Operations from "@mfgdata/domain/Operations"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Service from "./Service.ts"
import { fieldsOf, path, ready, notFound, badRequest, type It } from "./OperationCalls.ts"
import { categories, values } from "./AttributeOperations.ts"

const { colleague, operator, rival } = Service.members

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

/** Tests the operations on attributes and their values. */
import type * as Operations from "@mfgdata/domain/Operations"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "./Service.ts"
import { fieldsOf, ready, notFound, badRequest, type It } from "./OperationCalls.ts"

const { operator } = Service.members

export const categories = (it: It): void => {
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

export const values = (it: It): void => {
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

/** Tests every method of `Accounts` against the service, and its documented errors. */
import { assert, describe, layer } from "@effect/vitest"
import { Accounts } from "@mfgdata/client"
import { UserAttributeCategoryId, UserAttributeId, UserAttributeValueId } from "@mfgdata/domain/Attribute"
import { UserId } from "@mfgdata/domain/Ids"
import * as Mock from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"

const ready = Effect.gen(function* () {
  const { apiKey, baseUrl, userId } = yield* Mock.World
  return { accounts: yield* Accounts.make({ baseUrl, apiKey }), userId, baseUrl }
})

const shift = UserAttributeId.make("uatr_shift")

describe("Accounts", () => {
  layer(Mock.layer({ seed: { _tag: "Empty" } }))((it) => {
    it.effect("calls every operation of the service", () =>
      Effect.gen(function* () {
        const { accounts, userId } = yield* ready
        const choice = { topic: "sales", channel: "slack", enabled: true } as const
        assert.isNull(yield* accounts.upsertNotificationPreference(choice))
        assert.deepStrictEqual(yield* accounts.getNotificationPreferences(), { results: [choice], count: null })
        const profile = yield* accounts.getCurrentUser()
        assert.strictEqual(profile.id, userId)
        assert.isNull(yield* accounts.updateAvatar({ avatarUrl: "https://pictures.example/o.png" }))
        const { email, firstName, lastName } = profile
        assert.isNull(yield* accounts.updatePublicAccount({ id: userId, firstName, lastName, phone: null }))
        const account = yield* accounts.getAccount({ id: userId })
        assert.deepInclude(account, { email, avatarUrl: "https://pictures.example/o.png", phone: null })
        const everything = yield* accounts.getAllAttributeCategories()
        const open = yield* accounts.getPublicAttributes()
        const closed = yield* accounts.getPrivateAttributes()
        assert.sameDeepMembers([...open.results, ...closed.results], [...everything.results])
        assert.deepStrictEqual(yield* accounts.getAttributes({ isPublic: true }), open)
        const request = { userAttributeId: shift, type: "text", value: "Late" } as const
        const { id } = yield* accounts.upsertUserAttributeValue(request)
        assert.isNull(yield* accounts.deleteUserAttributeValue({ userAttributeId: shift, userAttributeValueId: id }))
        const work = yield* accounts.getAttributeCategoryWithValues({
          categoryId: UserAttributeCategoryId.make("uatc_work")
        })
        assert.isEmpty(work.userAttribute.find(({ id }) => id === shift)?.userAttributeValue)
      })
    )

    it.effect("fails with its documented errors", () =>
      Effect.gen(function* () {
        const { accounts, baseUrl } = yield* ready
        const absent = yield* Effect.flip(accounts.getAccount({ id: UserId.make("nobody") }))
        assert.deepInclude(absent, { _tag: "NotFound", operation: "account.getAccount" })
        const request = { userAttributeId: shift, type: "numeric", value: 12 } as const
        const wrong = yield* Effect.flip(accounts.upsertUserAttributeValue(request))
        assert.deepInclude(wrong, { _tag: "OperationRejected", status: 400, code: "BAD_REQUEST" })
        assert.sameDeepMembers(wrong._tag === "OperationRejected" ? wrong.issues.map(({ path }) => path) : [], [
          ["type"],
          ["value"]
        ])
        const userAttributeValueId = UserAttributeValueId.make("nothing")
        const late = { userAttributeId: shift, type: "text", value: "Late", userAttributeValueId } as const
        assert.strictEqual((yield* Effect.flip(accounts.upsertUserAttributeValue(late)))._tag, "NotFound")
        const stranger = yield* Accounts.make({ baseUrl, apiKey: "mfg_nobody_has_this" })
        assert.strictEqual((yield* Effect.flip(stranger.getCurrentUser()))._tag, "Unauthorized")
      })
    )
  })
})

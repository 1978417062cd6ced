/**
 * Provides an example of the request and the response of each operation, with data of the demo.
 */
import type { Json } from "@mfgdata/domain/Json"
import type * as Operations from "@mfgdata/domain/Operations"
import { attributes } from "../../seeds/demo/attributes.ts"
import { companyId, userId, users } from "../../seeds/demo/company.ts"

export interface Example {
  readonly request: Json
  readonly response: Json
}

const [user] = users
const { email, firstName, lastName } = user ?? { email: "", firstName: "", lastName: "" }
const profile = { id: userId, email, firstName, lastName, fullName: `${firstName} ${lastName}`, avatarUrl: null }

const [shift] = attributes.flatMap(({ attributes }) => attributes)
const [category] = attributes

const value = {
  id: "uatv_shift_operations",
  valueBoolean: null,
  valueDate: null,
  valueNumeric: null,
  valueText: "Early",
  valueUser: null,
  valueFile: null
}

const work = {
  id: category?.id ?? "",
  name: category?.name ?? "",
  emoji: category?.emoji ?? null,
  companyId,
  userAttribute: [
    {
      id: shift?.id ?? "",
      name: shift?.name ?? "",
      listOptions: shift?.listOptions ?? null,
      canSelfManage: true,
      attributeDataType: {
        id: 3,
        isBoolean: false,
        isDate: false,
        isNumeric: false,
        isText: false,
        isUser: false,
        isFile: false
      },
      userAttributeValue: [value]
    }
  ]
}

const categories = { results: [work], count: null }
const preference = { topic: "purchasing", channel: "email", enabled: true }
const reference = { userAttributeId: shift?.id ?? "", userAttributeValueId: value.id }

/** One example of each operation. */
export const examples: { readonly [Name in Operations.Name]: Example } = {
  getNotificationPreferences: { request: {}, response: { results: [preference], count: null } },
  upsertNotificationPreference: { request: preference, response: null },
  deleteUserAttributeValue: { request: reference, response: null },
  getAccount: {
    request: { id: userId },
    response: {
      ...profile,
      about: user?.about ?? "",
      acknowledgedITAR: false,
      active: true,
      admin: true,
      createdAt: "2026-01-05T08:00:00Z",
      developer: true,
      flags: user?.flags ?? {},
      isConsoleOperator: false,
      phone: null,
      updatedAt: null
    }
  },
  getCurrentUser: { request: {}, response: profile },
  getAttributes: { request: { isPublic: true }, response: categories },
  getPrivateAttributes: { request: {}, response: { results: [], count: null } },
  getPublicAttributes: { request: {}, response: categories },
  getAllAttributeCategories: { request: {}, response: categories },
  getAttributeCategoryWithValues: { request: { categoryId: work.id }, response: work },
  updateAvatar: { request: { avatarUrl: "https://ridgeline.example/operations.png" }, response: null },
  updatePublicAccount: { request: { id: userId, firstName, lastName, phone: "+1 555 0100" }, response: null },
  upsertUserAttributeValue: {
    request: { userAttributeId: reference.userAttributeId, type: "text", value: "Late" },
    response: { id: value.id }
  }
}

import * as OpenApi from "@effect/platform/OpenApi"
import { assert, describe, it } from "@effect/vitest"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import { AccountApi, extensionMark } from "../src/AccountApi.ts"

const described = OpenApi.fromApi(AccountApi)
const operations = Object.entries(described.paths).map(([path, { post }]) => ({ path, post }))

describe("AccountApi", () => {
  it("holds every operation of the domain under its own id and path, each a POST behind a bearer key", () => {
    assert.deepStrictEqual(
      operations.map(({ path, post }) => [path, post?.operationId]),
      Operations.all.map(({ id, path }) => [path, id])
    )
    for (const { post } of operations) {
      assert.deepStrictEqual(post?.security, [{ bearerAuth: [] }])
      assert.isTrue(post?.requestBody?.required)
    }
    assert.deepStrictEqual(described.components.securitySchemes, { bearerAuth: { type: "http", scheme: "bearer" } })
  })

  it("marks the operations that the contract does not list", () => {
    const marked = operations.filter(({ post }) => post !== undefined && extensionMark in post)
    assert.sameMembers(
      marked.map(({ post }) => post?.operationId),
      Operations.all.filter(({ extension }) => extension).map(({ id }) => id)
    )
  })

  it("answers each refusal of an operation under the status of its code, and no other", () => {
    for (const { refusals, path } of Operations.all) {
      const responses = Object.keys(described.paths[path]?.post?.responses ?? {})
      assert.sameMembers(responses, ["200", ...refusals.map((code) => String(OperationError.statuses[code]))], path)
    }
  })

  it("is version 1.0.0 in the words of OpenAPI 3.1.1, without the platform's own errors", () => {
    assert.deepStrictEqual<unknown>([described.openapi, described.info.version], ["3.1.1", "1.0.0"])
    assert.notInclude(JSON.stringify(described), "HttpApiDecodeError")
    const named = Object.keys(described.components.schemas).map((name) => `"#/components/schemas/${name}"`)
    for (const reference of named) assert.include(JSON.stringify(described), reference)
  })
})

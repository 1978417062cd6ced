import * as OpenApi from "@effect/platform/OpenApi"
import { assert, describe, it } from "@effect/vitest"
import * as OperationError from "@mfgdata/domain/OperationError"
import * as Operations from "@mfgdata/domain/Operations"
import { AccountApi, extensionMark } from "../src/AccountApi.ts"

const document = OpenApi.fromApi(AccountApi)
const operations = Object.entries(document.paths).map(([path, { post }]) => ({ path, post }))

describe("AccountApi", () => {
  it("has every operation of the domain under its id and path, as a POST with a bearer token", () => {
    assert.deepStrictEqual(
      operations.map(({ path, post }) => [path, post?.operationId]),
      Operations.all.map(({ id, path }) => [path, id])
    )
    for (const { post } of operations) {
      assert.deepStrictEqual(post?.security, [{ bearerAuth: [] }])
      assert.isTrue(post?.requestBody?.required)
    }
    assert.deepStrictEqual(document.components.securitySchemes, { bearerAuth: { type: "http", scheme: "bearer" } })
  })

  it("marks the operations that the contract does not list", () => {
    const marked = operations.filter(({ post }) => post !== undefined && extensionMark in post)
    assert.sameMembers(
      marked.map(({ post }) => post?.operationId),
      Operations.all.filter(({ extension }) => extension).map(({ id }) => id)
    )
  })

  it("lists each error of an operation under the status of its code, and no others", () => {
    for (const { errorCodes, path } of Operations.all) {
      const responses = Object.keys(document.paths[path]?.post?.responses ?? {})
      assert.sameMembers(responses, ["200", ...errorCodes.map((code) => String(OperationError.statuses[code]))], path)
    }
  })

  it("has version 1.0.0 in OpenAPI 3.1.1, without the errors of the platform", () => {
    assert.deepStrictEqual<unknown>([document.openapi, document.info.version], ["3.1.1", "1.0.0"])
    assert.notInclude(JSON.stringify(document), "HttpApiDecodeError")
    const named = Object.keys(document.components.schemas).map((name) => `"#/components/schemas/${name}"`)
    for (const reference of named) assert.include(JSON.stringify(document), reference)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as JSONSchema from "effect/JSONSchema"
import * as Schema from "effect/Schema"
import * as Catalogue from "../src/Catalogue.ts"
import * as Scope from "../src/Scope.ts"

const resources = Catalogue.resources.map(({ resource }) => resource)

describe("Scope", () => {
  it.each([
    [["*"], "holiday", "delete", true],
    [["*:*"], "holiday", "delete", true],
    [["holiday:*"], "holiday", "delete", true],
    [["holiday:*"], "kanban", "read", false],
    [["*:read"], "kanban", "read", true],
    [["*:read"], "kanban", "update", false],
    [["kanban:read"], "kanban", "read", true],
    [["kanban:read"], "kanban", "create", false],
    [["warehouseTransfer:read"], "warehouseTransferLine", "read", false],
    [["kanban:read", "holiday:create"], "holiday", "create", true],
    [[], "holiday", "read", false]
  ] as const)("%j: may %s be %sd? %s", (scopes, resource, action, predicate) =>
    assert.strictEqual(Scope.allows(scopes, resource, action), predicate)
  )

  it("allows exactly what the scopes without wildcards allow that it stands for", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Scope.all), (scope) => {
        const [resource, action = "*"] = scope.split(":")
        for (const name of resources) {
          for (const each of Scope.actions) {
            const expected = (resource === "*" || resource === name) && (action === "*" || action === each)
            assert.strictEqual(Scope.allows([scope], name, each), expected, `${scope} ${name} ${each}`)
          }
        }
      }),
      { numRuns: 60 }
    )
  })

  it("lists all there are: every resource and every action, each with its wildcard", () => {
    assert.strictEqual(new Set(Scope.all).size, 1 + (29 + 1) * (4 + 1))
    assert.includeMembers([...Scope.all], ["*", "*:read", "holiday:*", "holiday:delete"])
  })

  it.each([
    "",
    "holiday",
    "holiday:",
    ":read",
    "holiday:write",
    "Holiday:read",
    "*holiday:read",
    "holiday:read ",
    "**"
  ])("refuses %j", (text) => {
    assert.isFalse(Scope.is(text))
    const refused = Schema.decodeUnknownEither(Scope.Scope)(text)
    assert.include(String(Either.getOrThrow(Either.flip(refused))), `such as "holiday:read"`)
  })

  it("is what its schema takes and generates", () => {
    fc.assert(fc.property(Arbitrary.make(Scope.Scope), Scope.is))
    for (const scope of Scope.all) assert.strictEqual(Schema.decodeUnknownSync(Scope.Scope)(scope), scope)
    const { enum: listed } = JSONSchema.make(Scope.Scope).$defs!["Scope"] as JSONSchema.JsonSchema7Enum
    assert.deepStrictEqual(listed, [...Scope.all])
  })

  it("is typed against the catalogue", () => {
    const scopes: ReadonlyArray<Scope.Scope> = ["holiday:read", "*:delete", "kanban:*"]
    // @ts-expect-error -- no such resource
    const unknown: Scope.Scope = "holidays:read"
    // @ts-expect-error -- no such action
    const action: Scope.Scope = "holiday:write"
    assert.isTrue(scopes.every(Scope.is))
    assert.isFalse(Scope.is(unknown) || Scope.is(action))
  })
})

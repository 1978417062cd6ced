import { assert, describe, it } from "@effect/vitest"
import type * as Brand from "effect/Brand"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Catalogue from "../src/Catalogue.ts"
import * as Id from "../src/Id.ts"
import * as Ids from "../src/Ids.ts"
import { contract, writable } from "@mfgdata/testing-contract"

const arrow = (schema: Schema.Schema.AnyNoContext): string => {
  const reference = Option.getOrThrow(AST.getAnnotation<Id.Reference>(Id.ReferenceId)(schema.ast))
  return `${reference.resource}.${reference.field}`
}

const arrows = Object.values(Ids).map(arrow)

describe("Ids", () => {
  it("exist for every reference and key of the contract", () => {
    const expected = contract.flatMap((entry) => [
      `${entry.resource}.${entry.key}`,
      ...writable(entry).flatMap(({ reference }) =>
        reference === undefined ? [] : [`${reference.resource}.${reference.field}`]
      )
    ])
    assert.sameMembers(arrows, [...new Set(expected), "trackedActivityOutput.trackedEntityId"])
  })

  it("are named after their resource and field", () => {
    const names = new Map(Object.entries(Ids).map(([name, schema]) => [arrow(schema), name]))
    for (const [points, name] of names) {
      const [resource = "", field] = points.split(".")
      const expected = `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Id`
      assert.strictEqual(name === expected, field === "id", name)
    }
  })

  it("are the keys of all resources", () => {
    for (const resource of Catalogue.resources) {
      assert.strictEqual(arrow(resource.Key), `${resource.resource}.${resource.key}`)
    }
  })

  it("accept any text that can be stored, also an empty one", () => {
    const decode = Schema.decodeUnknownEither(Ids.LocationId)
    for (const text of ["", "loc_1", " ", "a,b", '"', "漢", "00000000-0000-0000-0000-000000000000"]) {
      assert.deepStrictEqual(decode(text), Either.right(Ids.LocationId.make(text)))
    }
    for (const value of ["a\u0000", "\ud800", 1, null]) assert.isTrue(Either.isLeft(decode(value)))
  })
})

describe("Id.make", () => {
  it("refers to `id` by default", () => {
    assert.strictEqual(arrow(Id.make<string & Brand.Brand<"box.id">>("box")), "box.id")
    assert.strictEqual(arrow(Id.make<string & Brand.Brand<"box.label">>("box", "label")), "box.label")
  })
})

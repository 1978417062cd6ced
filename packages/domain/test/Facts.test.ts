import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type * as Fact from "../src/Fact.ts"
import * as Facts from "../src/Facts.ts"

const service = "a service"

const closed: Fact.Fact = {
  fact: "vocabulary",
  resource: "nonConformance",
  column: "status",
  values: ["Registered", "Closed"],
  closed: "writes",
  seen: 12
}
const array: Fact.Fact = {
  fact: "type",
  resource: "nonConformance",
  column: "approvalRequirements",
  type: "array",
  seen: 3
}
const extra: Fact.Fact = {
  fact: "column",
  resource: "holiday",
  column: "region",
  type: "text",
  write: "optional",
  seen: 5
}
const created: Fact.Fact = { fact: "status", resource: "*", request: "create", status: 200, seen: 29 }
const error: Fact.Fact = {
  fact: "error",
  resource: "*",
  request: "any",
  code: "23502",
  status: 422,
  body: { error: "{column} is missing" },
  seen: 4
}

/** The message with which facts are refused. */
const refusal = (text: string): string =>
  Either.match(Facts.parse("facts.json", text), { onLeft: ({ message }) => message, onRight: () => "accepted" })

const refusalOf = (...facts: ReadonlyArray<unknown>): string =>
  refusal(JSON.stringify({ version: Facts.version, service, facts }))

describe("a facts file", () => {
  it("reads what it prints, sorted and with one fact on a line", () => {
    const text = Facts.print({ service, facts: [closed, extra, array, error, created] })
    assert.deepStrictEqual(
      text
        .trimEnd()
        .split("\n")
        .slice(4, -2)
        .map((line) => JSON.parse(line.replace(/,$/, ""))),
      [created, error, extra, array, closed]
    )
    assert.deepStrictEqual(
      Facts.parse("facts.json", text),
      Either.right({ service, facts: [created, error, extra, array, closed] })
    )
    assert.strictEqual(
      Facts.print({ service, facts: [] }),
      `{\n  "version": 1,\n  "service": "a service",\n  "facts": []\n}\n`
    )
  })

  it("refuses another version, another kind and another field by name", () => {
    assert.include(refusal("{"), "The facts of facts.json cannot be used.\nfile: expected JSON")
    assert.include(refusal(JSON.stringify({ version: 2, service, facts: [] })), "file.version: expected 1, got 2")
    assert.include(refusal("[]"), "file: expected an object")
    assert.include(refusalOf(7), "facts[0]: expected an object with the kind of the fact in the field fact")
    assert.include(
      refusalOf(closed, { ...closed, fact: "vocabluary" }),
      `facts[1].fact: expected a known kind, perhaps vocabulary, got "vocabluary"`
    )
    assert.include(
      refusalOf({ ...created, status: 20 }),
      "facts[0] (status).status: expected a status from 200 to 599, got 20"
    )
    assert.include(
      refusalOf({ ...created, seen: 0 }),
      "facts[0] (status).seen: expected a positive whole number, got 0"
    )
    assert.include(refusalOf({ ...created, often: true }), "facts[0] (status).often: expected nothing")
    assert.include(refusalOf({ ...closed, values: [] }), "facts[0] (vocabulary).values")
  })

  it("refuses facts that do not fit the contract by their place", () => {
    assert.include(
      refusalOf({ ...closed, resource: "nonConformence" }),
      `vocabulary nonConformence status: expected a resource of the contract, perhaps nonConformance, got "nonConformence"`
    )
    assert.include(refusalOf({ ...closed, resource: "*" }), `vocabulary * status: expected a resource of the contract`)
    assert.include(
      refusalOf({ ...closed, column: "state" }),
      `vocabulary nonConformance state: expected a column of nonConformance`
    )
    assert.include(
      refusalOf({ ...extra, column: "name" }),
      `column holiday name: expected a column that the contract does not list`
    )
    assert.include(
      refusalOf({ fact: "absent", resource: "holiday", column: "id", seen: 1 }),
      "absent holiday id: expected a column other than the key"
    )
    assert.include(
      refusalOf({ fact: "unique", resource: "holiday", columns: ["day"], seen: 1 }),
      `unique holiday day: expected columns of holiday in the contract, got "day"`
    )
    assert.include(
      refusalOf({ fact: "check", resource: "fulfillment", check: "none", seen: 1 }),
      `check fulfillment none: expected one of jobId_check, got "none"`
    )
    assert.include(
      refusalOf({ fact: "reference", resource: "holiday", column: "name", onDelete: "cascade", seen: 1 }),
      "reference holiday name: expected a column that refers to another resource"
    )
    assert.include(
      refusalOf({ fact: "number", resource: "holiday", column: "name", form: "text", seen: 1 }),
      "number holiday name: expected a column of numbers, got the type text"
    )
    assert.include(
      refusalOf({ fact: "ownCompany", resource: "webhookTable", seen: 1 }),
      "ownCompany webhookTable: expected a resource whose creates have companyId"
    )
  })

  it("refuses facts that contradict each other by their place", () => {
    const required = { fact: "required", resource: "holiday", column: "year", required: true, seen: 2 }
    const absent = { fact: "absent", resource: "holiday", column: "year", seen: 2 }
    assert.include(
      refusalOf(required, absent),
      `required holiday year: expected one of the two, got a column that "absent holiday year" makes unknown`
    )
    assert.include(
      refusalOf(created, { ...created, status: 201 }),
      "status * create: expected one fact at this place, got two"
    )
    assert.include(
      refusalOf(required, { fact: "default", resource: "holiday", column: "year", value: 2026, seen: 1 }),
      "default holiday year: expected a column that a create may omit, got a required column"
    )
    assert.include(
      refusalOf({ fact: "default", resource: "holiday", column: "year", value: "2026", seen: 1 }),
      `default holiday year: expected a value of the type number, got "2026"`
    )
    assert.include(
      refusalOf(closed, { fact: "default", resource: "nonConformance", column: "status", value: "Open", seen: 1 }),
      `default nonConformance status: expected one of Registered, Closed, got "Open"`
    )
    assert.include(
      refusalOf({ fact: "required", resource: "holiday", column: "name", required: false, seen: 1 }),
      "required holiday name: expected a default, or a column that holds null"
    )
    assert.include(
      refusalOf(
        { ...created, status: 204 },
        { fact: "shape", resource: "*", request: "create", shape: "array", seen: 1 }
      ),
      `shape * create: expected the shape empty, got array, with the status of "status * create"`
    )
  })

  it("accepts a fact at each place once, and for each form of Prefer", () => {
    assert.strictEqual(
      refusalOf(closed, array, extra, created, { ...created, prefer: "minimal", status: 204 }, error),
      "accepted"
    )
  })

  it("adds up what was seen, and replaces what changed", () => {
    assert.deepStrictEqual(Facts.merge([closed, created], [created, { ...closed, closed: "no" }, extra]), [
      { ...created, seen: 58 },
      extra,
      { ...closed, closed: "no" }
    ])
  })
})

/** Reads the facts files of each release. */
import { assert, describe, it } from "@effect/vitest"
import * as Fact from "@mfgdata/domain/Fact"
import * as Facts from "@mfgdata/domain/Facts"
import * as Either from "effect/Either"
import * as Release from "../../src/release/Release.ts"

/** A fact of each kind, and of each form that a kind has. */
const facts: ReadonlyArray<Fact.Fact> = [
  { fact: "column", resource: "holiday", column: "region", type: "text", write: "optional", seen: 5 },
  { fact: "absent", resource: "warehouseTransfer", column: "tags", seen: 5 },
  { fact: "type", resource: "nonConformance", column: "approvalRequirements", type: "array", seen: 3 },
  { fact: "nullable", resource: "holiday", column: "name", nullable: true, seen: 1 },
  { fact: "required", resource: "holiday", column: "tags", required: true, seen: 2 },
  { fact: "computed", resource: "holiday", column: "year", seen: 9 },
  { fact: "default", resource: "warehouseTransfer", column: "customFields", value: { a: [1, null, "ü"] }, seen: 1 },
  {
    fact: "vocabulary",
    resource: "nonConformance",
    column: "status",
    values: ["Registered", "Closed"],
    closed: "writes",
    seen: 12
  },
  { fact: "unique", resource: "holiday", columns: ["name", "date"], seen: 2 },
  { fact: "reference", resource: "warehouseTransferLine", column: "transferId", onDelete: "cascade", seen: 4 },
  { fact: "check", resource: "qualityDocumentStep", check: "unitOfMeasureCode_check", seen: 1 },
  { fact: "ownCompany", resource: "holiday", seen: 1 },
  { fact: "style", style: "postgrest", seen: 1 },
  { fact: "unknownColumns", resource: "*", treatment: "ignored", seen: 2 },
  { fact: "order", resource: "*", order: "id.asc", seen: 29 },
  { fact: "status", resource: "*", request: "create", prefer: "minimal", status: 200, seen: 29 },
  { fact: "shape", resource: "holiday", request: "update", shape: "array", seen: 1 },
  { fact: "header", resource: "*", request: "error", name: "x-service", value: null, seen: 3 },
  { fact: "header", resource: "*", request: "create", name: "location", value: "{path}?id=eq.{key}", seen: 3 },
  {
    fact: "error",
    resource: "*",
    request: "any",
    code: "23502",
    when: 400,
    status: 422,
    body: { error: "{column} is missing" },
    contentType: "application/problem+json",
    seen: 4
  },
  { fact: "timestamp", resource: "*", zone: "+00:00", digits: "trimmed", seen: 100 },
  { fact: "number", resource: "journalLine", column: "amount", form: "text", seen: 8 }
]

const make = () => Facts.print({ service: "a service", facts })

const files = await Release.fixture("domain", "facts.json", () => Promise.resolve(make()))

describe("the facts files of releases", () => {
  it("have every kind of fact in that of this version", () => {
    const { facts } = Either.getOrThrowWith(
      Facts.parse("facts.json", files.read(Release.current("domain")).toString()),
      (error) => error
    )
    assert.deepStrictEqual(
      Fact.kinds.filter((kind) => facts.every(({ fact }) => fact !== kind)),
      [],
      `make the file of an unreleased version again: ${Release.command}`
    )
  })

  it.each(files.versions)("are read: %s", (version) => {
    const text = files.read(version).toString()
    const { facts } = Either.getOrThrowWith(Facts.parse("facts.json", text), (error) => error)
    const written: { readonly facts: ReadonlyArray<unknown> } = JSON.parse(text)
    assert.isAbove(facts.length, 10)
    assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), written.facts)
  })
})

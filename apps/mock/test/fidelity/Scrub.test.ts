import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as ColumnRules from "../../src/fidelity/scrub/ColumnRules.ts"
import * as Pseudonym from "../../src/fidelity/scrub/Pseudonym.ts"
import * as Scrub from "../../src/fidelity/scrub/Scrub.ts"
import * as ScrubFile from "../../src/fidelity/scrub/ScrubFile.ts"
import * as ScrubRule from "../../src/fidelity/scrub/ScrubRule.ts"
import { scratch } from "../store/scratch.ts"

const { documentExtraction, journalLine, oauthClient, warehouseTransfer, warehouseTransferLine } = Catalogue.byName

const key = "a key of the tests"

const scrubOf = (file: ScrubRule.RuleFile, observed: ColumnRules.Observed = new Map(), secret = key) =>
  Effect.map(
    Effect.promise(() => Pseudonym.make(secret)),
    (pseudonyms) => Scrub.make(Either.getOrThrow(ColumnRules.make("rules.json", file, observed)), pseudonyms)
  )

const problemsOf = (rules: ScrubRule.RuleFile["rules"], observed: ColumnRules.Observed = new Map()) =>
  Either.match(ColumnRules.make("rules.json", { rules }, observed), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

const transfer = (row: JsonObject): JsonObject => ({ id: "wt_1", ...row })

describe("Scrub", () => {
  it.effect("replaces what looks like people by default, and nothing else", () =>
    Effect.gen(function* () {
      const scrub = yield* scrubOf(ScrubRule.defaults)
      const row = transfer({
        status: "Draft",
        reference: "PO-2026-0815",
        transferDate: "2026-01-31",
        notes: "Call Ann at +49 (30) 901820-55 or ann.meyer@acme-tools.de",
        contactName: "Ann Meyer",
        email: "ann.meyer@acme-tools.de",
        phone: "030 901820",
        customFields: { buyer: { firstName: "Ann", mobile: "0151 2345678" }, weight: 12, lot: "A-123-456" }
      })
      const actual = scrub.row(warehouseTransfer, row)
      const { contactName, customFields, email, notes, phone, ...rest } = actual
      assert.deepStrictEqual(rest, {
        id: "wt_1",
        status: "Draft",
        reference: "PO-2026-0815",
        transferDate: "2026-01-31"
      })
      const text = JSON.stringify(actual)
      for (const part of ["Meyer", "acme-tools", "901820", "2345678"]) assert.notInclude(text, part)
      assert.match(String(email), /^[a-z]+\.[a-z2-7]{8}@example\.com$/)
      // The same address is the same in a text and in a column.
      assert.include(String(notes), String(email))
      assert.match(String(phone), /^\d{3} \d{6}$/)
      assert.match(String(contactName), /^\S+ \S+/)
      assert.deepInclude(customFields, { weight: 12, lot: "A-123-456" })
    })
  )

  it.effect("replaces equal values by equal ones, under one key", () =>
    Effect.gen(function* () {
      const file = { rules: { "warehouseTransfer.id": "hash" } } as const
      const [one, two, other] = yield* Effect.all([
        scrubOf(file),
        scrubOf(file),
        scrubOf(file, undefined, "another key of the tests")
      ])
      const { id } = one.row(warehouseTransfer, { id: "wt_1" })
      assert.notStrictEqual(id, "wt_1")
      assert.strictEqual(two.row(warehouseTransfer, { id: "wt_1" })["id"], id)
      assert.strictEqual(one.key(warehouseTransfer, "wt_1"), id)
      assert.notStrictEqual(one.row(warehouseTransfer, { id: "wt_2" })["id"], id)
      assert.notStrictEqual(other.row(warehouseTransfer, { id: "wt_1" })["id"], id)
      // A column that refers to the key has its rule.
      assert.strictEqual(one.row(warehouseTransferLine, { id: "l", transferId: "wt_1" })["transferId"], id)
    })
  )

  it.effect("applies the rule of a resource outside the service to the columns that refer to it", () =>
    Effect.gen(function* () {
      const scrub = yield* scrubOf({ rules: { "user.id": "hash" } })
      const { createdBy } = scrub.row(warehouseTransfer, { id: "a", createdBy: "u_1" })
      assert.notStrictEqual(createdBy, "u_1")
      assert.strictEqual(scrub.row(journalLine, { id: "b", createdBy: "u_1" })["createdBy"], "u_1")
      assert.strictEqual(scrub.row(warehouseTransferLine, { id: "c", createdBy: "u_1" })["createdBy"], "u_1")
      assert.strictEqual(scrub.row(Catalogue.byName.holiday, { id: "d", createdBy: "u_1" })["createdBy"], createdBy)
    })
  )

  it.effect("has a rule of each kind", () =>
    Effect.gen(function* () {
      const scrub = yield* scrubOf(
        {
          default: false,
          rules: {
            "warehouseTransfer.notes": "text",
            "warehouseTransfer.reference": "null",
            "warehouseTransfer.transferId": "name",
            "*.customFields": "hash",
            "journalLine.amount": { number: 10 },
            "journalLine.weight": { number: 10 }
          }
        },
        new Map([["journalLine", new Set(["weight"])]])
      )
      const actual = scrub.row(
        warehouseTransfer,
        transfer({
          notes: "Ann moves this",
          reference: "x",
          transferId: "Ann Meyer",
          status: "ann@acme.de",
          customFields: { a: ["Ann", "Ann", "Bob"], n: 1234, flag: true }
        })
      )
      assert.lengthOf(String(actual["notes"]), "Ann moves this".length)
      assert.notInclude(String(actual["notes"]), "Ann")
      assert.isNull(actual["reference"])
      assert.match(String(actual["transferId"]), /^\S+ \S+/)
      // Without the default rules, other columns are copied.
      assert.strictEqual(actual["status"], "ann@acme.de")
      const text = JSON.stringify(actual["customFields"])
      assert.isFalse(/Ann|Bob|1234|true/.test(text), text)
      const line = scrub.row(journalLine, { id: "l", amount: 200, weight: "10.50", quantity: 3 })
      assert.isTrue(Number(line["amount"]) !== 200 && Math.abs(Number(line["amount"]) - 200) <= 20)
      assert.match(String(line["weight"]), /^\d+\.\d{2}$/)
      assert.strictEqual(line["quantity"], 3)
    })
  )

  it.effect("replaces secrets under every rule file", () =>
    Effect.gen(function* () {
      for (const file of [ScrubRule.defaults, ScrubRule.none]) {
        const scrub = yield* scrubOf(file)
        const row = scrub.row(oauthClient, {
          id: "o",
          clientSecret: "s3cret-value",
          refreshToken: "s3cret-token",
          settings: { apiKey: "s3cret-key", region: "eu" }
        })
        assert.notInclude(JSON.stringify(row), "s3cret")
        assert.match(String(row["clientSecret"]), /^scrubbed-/)
        assert.deepInclude(row["settings"], { region: "eu" })
        assert.isNull(scrub.row(oauthClient, { id: "o", clientSecret: null })["clientSecret"])
      }
    })
  )

  it.effect("replaces values of other types than the column's", () =>
    Effect.gen(function* () {
      const scrub = yield* scrubOf({
        rules: { "warehouseTransfer.notes": "hash", "journalLine.amount": { number: 5 } }
      })
      const { notes } = scrub.row(warehouseTransfer, transfer({ notes: ["Ann", { by: "Bob" }] }))
      assert.isFalse(/Ann|Bob/.test(JSON.stringify(notes)))
      assert.notInclude(String(scrub.row(journalLine, { id: "l", amount: "Ann" })["amount"]), "Ann")
      const extracted = scrub.row(documentExtraction, { id: "d", extractedData: { "ann@acme.de": 1 } })
      assert.notInclude(JSON.stringify(extracted), "acme")
    })
  )

  it("refuses rules by the name of the column", () => {
    assert.deepStrictEqual(
      problemsOf({
        "warehouseTransfr.notes": "text",
        "warehouseTransfer.note": "text",
        "*.notez": "text",
        notes: "text",
        "oauthClient.clientSecret": "keep",
        "journalLine.amount": "text",
        "journalLine.journalId": "null",
        "user.id": "null"
      }),
      [
        "warehouseTransfr.notes: there is no resource warehouseTransfr: did you mean warehouseTransfer?",
        "warehouseTransfer has no column note: did you mean notes?",
        "no resource has a column notez: did you mean notes?",
        '"notes": expected <resource>.<column> or *.<column>',
        'oauthClient.clientSecret is a secret, which is never copied: it accepts only "null"',
        "journalLine.amount has the type number and no null: expected keep, number, got text",
        "journalLine.journalId has the type text and no null: expected keep, hash, name, email, phone, text, got null",
        "user.id is an id: expected keep, hash, name, email, phone, text, got null"
      ]
    )
    // A column that the source has, and the contract does not list.
    assert.deepStrictEqual(problemsOf({ "kanban.operator": "name" }, new Map([["kanban", new Set(["operator"])]])), [])
  })

  it.scoped("refuses a file that is not one of rules", () =>
    Effect.gen(function* () {
      const folder = yield* scratch
      const read = (text: string) => {
        const file = join(folder, "rules.json")
        writeFileSync(file, text)
        return Effect.map(Effect.flip(ScrubFile.read(file)), ({ message }) => message)
      }
      assert.include(yield* read("{"), "expected JSON")
      assert.include(yield* read(`{"rules":{"kanban.notes":"shred"}}`), `"keep", "null", "hash"`)
      assert.include(yield* read(`{"rule":{}}`), "rule")
      const missing = yield* Effect.flip(ScrubFile.read(join(folder, "none.json")))
      assert.include(missing.message, "none.json cannot be used: ENOENT")
      assert.deepStrictEqual(yield* ScrubFile.read("none"), ScrubRule.none)
    })
  )
})

import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as CellInput from "../../src/views/data/value/CellInput.ts"
import * as EditQueue from "../../src/views/data/edits/EditQueue.ts"
import type { RowService, Version } from "../../src/views/data/edits/RowService.ts"
import * as SendEdits from "../../src/views/data/edits/SendEdits.ts"
import * as TestService from "./service.ts"

let service: TestService.TestService
beforeAll(async () => void (service = await TestService.start()))
afterAll(() => service.close())

const inputs = (values: object): EditQueue.Inputs =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, CellInput.fromValue(value)]))

const term = (name: string) => ({
  name,
  daysDue: 30,
  daysDiscount: 0,
  discountPercentage: 0,
  calculationMethod: "Net",
  active: true,
  companyId: service.companyId
})

const table = "paymentTerm"

const newTerm = async (name: string): Promise<Version> => {
  const written = await service.rows.create(table, term(name), name)
  return written._tag === "Written" ? versionOf(String(written.row["id"])) : assert.fail(JSON.stringify(written))
}

const versionOf = async (key: string): Promise<Version> => (await service.rows.retrieve(table, key)) ?? assert.fail()

const rowOf = async (key: string) => (await versionOf(key)).row

/** Sends a queue, and returns what is left of it. */
const send = async (queue: EditQueue.Queue, rows: Partial<RowService> = {}) => {
  let left = queue
  const sent: Array<SendEdits.Sent> = []
  const error = await SendEdits.send({ ...service.rows, ...rows }, queue, {
    onSent: (result) => {
      sent.push(result)
      left = EditQueue.drop(left, result.edit.id)
    },
    onFailed: (id, failure) => void (left = EditQueue.fail(left, id, failure))
  })
  return { left, sent, error }
}

const place = ({ key }: Version) => ({ resource: table, key })

const edit = (
  version: Version,
  column: string,
  value: string | number,
  queue: EditQueue.Queue = EditQueue.empty
): EditQueue.Queue =>
  EditQueue.update(queue, "u", place(version), column, version.row[column] ?? null, CellInput.fromValue(value))

describe("sending edits", () => {
  it("creates, updates and deletes rows, and attaches refusals to the fields that they name", async () => {
    const changed = await newTerm("changed")
    const deleted = await newTerm("deleted")
    let queue = EditQueue.create([], "c1", table, inputs(term("created")))
    queue = EditQueue.create(queue, "c2", "warehouseTransferLine", inputs({ transferId: "wt_nowhere" }))
    queue = edit(changed, "daysDue", 60, queue)
    queue = EditQueue.remove(queue, "d", place(deleted), deleted.row)
    const { error, left, sent } = await send(queue)
    assert.isUndefined(error)
    assert.deepStrictEqual(
      sent.map(({ edit }) => edit.id),
      ["c1", "u", "d"]
    )
    assert.deepStrictEqual(
      left.map(({ id }) => id),
      ["c2"]
    )
    assert.isAbove(Object.keys(left[0]?.failure?.fields ?? {}).length, 1)
    assert.strictEqual((await rowOf(changed.key))["daysDue"], 60)
    await service.rows.upsert(table, SendEdits.toUpsert(sent.at(-1)?.deleted ?? assert.fail()))
    assert.strictEqual((await rowOf(deleted.key))["name"], "deleted")
  })

  it("merges an edit with changes of other fields, and shows a conflict of the same field with all three values", async () => {
    const version = await newTerm("shared")
    await service.rows.update(table, version.key, { name: "renamed" }, version.etag)
    assert.deepStrictEqual((await send(edit(version, "daysDue", 60))).left, [])
    assert.deepInclude(await rowOf(version.key), { daysDue: 60, name: "renamed" })
    const { left } = await send(edit(version, "name", "mine"))
    assert.deepInclude(left[0]?.failure?.conflict, { theirs: { name: "renamed" }, fields: ["name"] })
    assert.deepInclude(left[0], { base: { name: "shared" }, inputs: { name: { text: "mine", value: "mine" } } })
    assert.deepStrictEqual((await send(EditQueue.resolve(left, "u", "name", "mine"))).left, [])
    assert.strictEqual((await rowOf(version.key))["name"], "mine")
  })

  it("does not delete a row that was changed after it was marked, and says when a row is gone", async () => {
    const version = await newTerm("kept")
    await service.rows.update(table, version.key, { daysDue: 1 }, version.etag)
    const deletion = EditQueue.remove([], "d", place(version), version.row)
    assert.match((await send(deletion)).left[0]?.failure?.message ?? "", /changed daysDue/)
    const now = await versionOf(version.key)
    await service.rows.remove(table, version.key, now.etag)
    for (const queue of [deletion, edit(now, "daysDue", 2)])
      assert.match((await send(queue)).left[0]?.failure?.message ?? "", /does not exist/)
  })

  it("stops at an error of every request, and creates no row twice when it is repeated", async () => {
    const queue = EditQueue.create([], "once", table, inputs(term("once")))
    const lost: RowService["create"] = async (...parameters) => {
      await service.rows.create(...parameters)
      throw new Error("connection lost")
    }
    const first = await send(queue, { create: lost })
    assert.deepStrictEqual(first.left, queue)
    assert.match(String(first.error), /connection lost/)
    assert.deepStrictEqual((await send(first.left)).left, [])
    assert.strictEqual(await service.rows.count(table, "name=eq.once"), 1)
  })

  it("sends no edit with a field that has no value", async () => {
    const version = await newTerm("invalid")
    const queue = EditQueue.update([], "u", place(version), "daysDue", 30, {
      text: "soon",
      problem: "expected a number"
    })
    assert.deepStrictEqual((await send(queue)).left[0]?.failure?.fields, { daysDue: "expected a number" })
  })

  it("copies the writable fields of a row", async () => {
    const [row] = await service.rows.list("warehouseTransfer", "limit=1")
    const copy = SendEdits.toCopy("warehouseTransfer", row ?? assert.fail())
    assert.notProperty(copy, "id")
    assert.property(copy, "transferId")
  })
})

import { assert, describe, it } from "vitest"
import * as CellInput from "../../src/views/data/value/CellInput.ts"
import * as EditQueue from "../../src/views/data/edits/EditQueue.ts"
import type { Json, JsonObject } from "@mfgdata/domain/Json"

const row: JsonObject = { id: "wt_1", notes: "old", reference: null, status: "Draft" }
const place = { resource: "warehouseTransfer", key: "wt_1" }
const input = (value: Json): CellInput.Input => CellInput.fromValue(value)

const edited = (column: string, value: Json, queue: EditQueue.Queue = EditQueue.empty) =>
  EditQueue.update(queue, `e${queue.length}`, place, column, row[column] ?? null, input(value))

describe("the queue of edits", () => {
  it("collects the fields of a row in one edit, and drops a field that is as before", () => {
    const both = edited("reference", "R", edited("notes", "new"))
    assert.lengthOf(both, 1)
    assert.deepStrictEqual(EditQueue.differences(both[0] ?? assert.fail(), ["id", "notes", "reference"]), [
      { column: "notes", from: "old", input: { text: "new", value: "new" }, problem: undefined },
      { column: "reference", from: null, input: { text: "R", value: "R" }, problem: undefined }
    ])
    assert.deepStrictEqual(edited("notes", "old", edited("notes", "new")), [])
    assert.deepStrictEqual(EditQueue.revert(edited("notes", "new"), "e0", "notes"), [])
  })

  it("keeps text that is not a value of its column, and does not send it", () => {
    const queue = EditQueue.update([], "e0", place, "transferDate", null, {
      text: "tomorrow",
      problem: "expected a date"
    })
    const [edit] = EditQueue.fromText(EditQueue.toText(queue))
    assert.isTrue(edit?._tag === "Update" && EditQueue.values(edit) === undefined)
    assert.strictEqual(EditQueue.differences(edit ?? assert.fail(), ["transferDate"])[0]?.input.text, "tomorrow")
  })

  it("replaces the changes of a row by its deletion, and refuses further changes", () => {
    const queue = EditQueue.remove(edited("notes", "new"), "x", place, row)
    assert.deepStrictEqual(
      queue.map(({ _tag, id }) => [_tag, id]),
      [["Delete", "e0"]]
    )
    assert.strictEqual(edited("notes", "newer", queue), queue)
    assert.deepStrictEqual(EditQueue.drop(queue, "e0"), [])
  })

  it("keeps the identity of a row while its key is edited", () => {
    const queue = edited("notes", "new", edited("id", "wt_2"))
    assert.lengthOf(queue, 1)
    assert.strictEqual(EditQueue.find(queue, place.resource, "wt_1")?.key, "wt_1")
  })

  it("conflicts with a row in which the same fields have other values now", () => {
    const [edit] = edited("notes", "new")
    if (edit?._tag !== "Update") return assert.fail()
    assert.deepStrictEqual(EditQueue.changedIn(edit, { ...row, status: "Completed" }), [])
    assert.deepStrictEqual(EditQueue.changedIn(edit, { ...row, notes: "theirs" }), ["notes"])
    // Both have made the same change.
    assert.deepStrictEqual(EditQueue.changedIn(edit, { ...row, notes: "new" }), [])
    const [deletion] = EditQueue.remove([], "d", place, row)
    if (deletion?._tag !== "Delete") return assert.fail()
    assert.deepStrictEqual(EditQueue.changedIn(deletion, { ...row, updatedAt: "now" }), [])
    assert.deepStrictEqual(EditQueue.changedIn(deletion, { ...row, status: "Completed" }), ["status"])
  })

  it("decides a conflict field by field", () => {
    const queue = edited("reference", "mine", edited("notes", "mine"))
    const conflict = { theirs: { notes: "theirs", reference: "theirs" }, fields: ["notes", "reference"] }
    const failed = EditQueue.fail(queue, "e0", { message: "changed", fields: {}, conflict })
    const half = EditQueue.resolve(failed, "e0", "notes", "mine")
    assert.deepStrictEqual(half[0]?.failure?.conflict?.fields, ["reference"])
    const [done] = EditQueue.resolve(half, "e0", "reference", "theirs")
    if (done?._tag !== "Update") return assert.fail()
    assert.deepStrictEqual(
      [done.failure, done.base, EditQueue.values(done)],
      [undefined, { notes: "theirs" }, { notes: "mine" }]
    )
    assert.deepStrictEqual(
      EditQueue.resolve(EditQueue.resolve(failed, "e0", "notes", "theirs"), "e0", "reference", "theirs"),
      []
    )
  })

  it("forgets the error of a field that is changed", () => {
    const failed = EditQueue.fail(edited("notes", "new"), "e0", { message: "refused", fields: { notes: "too long" } })
    assert.strictEqual(EditQueue.differences(failed[0] ?? assert.fail(), ["notes"])[0]?.problem, "too long")
    assert.isUndefined(edited("notes", "newer", failed)[0]?.failure)
  })

  it("gives a row that was changed after its request another idempotency key", () => {
    const queue = EditQueue.change(
      EditQueue.create([], "c", place.resource, { notes: input("a") }),
      "c",
      "notes",
      input("b")
    )
    assert.deepInclude(queue[0], { revision: 1, inputs: { notes: { text: "b", value: "b" } } })
  })

  it("reads nothing from a text that it did not write", () => {
    for (const text of [null, "", "{", "[]", '{"format":0,"queue":[1]}'])
      assert.deepStrictEqual(EditQueue.fromText(text), [])
  })
})

import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Terminal from "@effect/platform/Terminal"
import { assert, describe, it } from "@effect/vitest"
import { Catalogue, Column } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mfg from "../src/Mfg.ts"

/** What a command line puts on standard output, which is a terminal or a pipe. */
const mfg = (args: ReadonlyArray<string>, isTTY = false) =>
  Effect.gen(function* () {
    const shown: Array<string> = []
    const terminal = Terminal.Terminal.of({
      columns: Effect.succeed(80),
      rows: Effect.succeed(24),
      isTTY: Effect.succeed(isTTY),
      readInput: Effect.dieMessage("nothing to read"),
      readLine: Effect.dieMessage("nothing to read"),
      display: (text) => Effect.sync(() => void shown.push(text))
    })
    yield* Mfg.run("1.2.3")(["node", "mfg", ...args]).pipe(
      Effect.provide(Layer.merge(NodeContext.layer, Layer.succeed(Terminal.Terminal, terminal)))
    )
    return shown.join("")
  })

const parsed = (ndjson: string): ReadonlyArray<Record<string, unknown>> =>
  ndjson
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

describe("mfg describe", () => {
  it.effect("lists every resource", () =>
    Effect.gen(function* () {
      const rows = parsed(yield* mfg(["describe"]))
      assert.deepStrictEqual(
        rows.map((row) => row["resource"]),
        Catalogue.resources.map(({ resource }) => resource)
      )
      assert.deepStrictEqual(
        rows.find((row) => row["resource"] === "salesOrderFavorite"),
        { resource: "salesOrderFavorite", key: "salesOrderId", required: 1, optional: 0, returned: 1 }
      )
    })
  )

  it.effect.each(Catalogue.resources.map(({ resource }) => resource))("shows every field of %s", (name) =>
    Effect.gen(function* () {
      const rows = parsed(yield* mfg(["describe", name]))
      assert.deepStrictEqual(
        rows.map((row) => row["field"]),
        Column.fromResource(Catalogue.byName[name]).map((column) => column.name)
      )
    })
  )

  it.effect("shows what a field refers to and which values are known", () =>
    Effect.gen(function* () {
      const rows = parsed(yield* mfg(["describe", "fulfillment"]))
      const field = (name: string) => rows.find((row) => row["field"] === name)
      assert.deepStrictEqual(field("salesOrderLineId"), {
        field: "salesOrderLineId",
        type: "text",
        write: "required",
        references: "salesOrderLine.id",
        known: null
      })
      assert.deepInclude(field("type"), { write: "required", known: ["Inventory", "Job"] })
      assert.deepInclude(field("jobId"), { write: "optional", references: "job.id" })
      assert.deepInclude(field("createdAt"), { type: "timestamp", write: "never" })
    })
  )

  it.effect("shows a table on a terminal", () =>
    Effect.gen(function* () {
      const lines = (yield* mfg(["describe", "salesOrderFavorite"], true)).split("\n")
      assert.match(lines[0] ?? "", /^field +type +write +references +known$/)
      assert.lengthOf(lines, 1 + Column.fromResource(Catalogue.byName.salesOrderFavorite).length + 1)
    })
  )

  it.effect("shows what --output asks for, wherever it stands", () =>
    Effect.gen(function* () {
      const json = yield* mfg(["describe", "--output", "json", "holiday"], true)
      assert.strictEqual(json, yield* mfg(["describe", "holiday", "-o", "json"]))
      assert.lengthOf(JSON.parse(json), Column.fromResource(Catalogue.byName.holiday).length)
      const csv = yield* mfg(["describe", "fulfillment", "--output", "csv"])
      assert.include(csv, `type,text,required,,"[""Inventory"",""Job""]"\r\n`)
    })
  )

  it.effect("refuses an unknown resource", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(mfg(["describe", "nothing"]))
      assert.include(JSON.stringify(error), "There is no resource nothing. There are oauthCode, ")
    })
  )
})

/**
 * The states and screens of `mfg browse`, without a terminal and a service.
 */
import { assert, describe, it } from "@effect/vitest"
import { Unreachable } from "@mfgdata/client/ClientError"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Cell from "@mfgdata/shell/output/Cell"
import * as Line from "../src/browse/Line.ts"
import * as Model from "../src/browse/Model.ts"
import * as Requests from "../src/browse/Requests.ts"
import * as Update from "../src/browse/Update.ts"
import * as View from "../src/browse/View.ts"

const { holiday, journalLine, warehouseTransferLine } = Catalogue.byName

const size = { columns: 80, rows: 24 }

/** The state after some messages, and the effects of the last one. */
const after = (next: Model.Next, ...messages: ReadonlyArray<Model.Message>): Model.Next =>
  messages.reduce(([model]: Model.Next, message) => Update.update(model, message), next)

const press = (name: string, text = name.length === 1 ? name : ""): Model.Message => ({
  _tag: "Pressed",
  key: { name, text }
})

const rows = (count: number, from = 0): ReadonlyArray<JsonObject> =>
  Array.from({ length: count }, (_, index) => ({ id: `k${from + index}`, name: `Name ${from + index}`, year: index }))

const loaded = (next: Model.Next, rows: ReadonlyArray<JsonObject>, hasBefore = false, hasAfter = false): Model.Next => {
  const [{ request }, commands] = next
  const [load] = commands.flatMap((command) => (command._tag === "LoadPage" ? [command] : []))
  const limit = load?.query.limit ?? 0
  return after(next, { _tag: "PageLoaded", request, page: { rows, hasBefore, hasAfter, limit } })
}

const opened = (resource: Parameters<typeof Model.list>[0] = holiday): Model.Next => {
  const list = Model.list(resource)
  return Requests.page(Model.make(list, size), list)
}

const screenOf = ([model]: Model.Next): ReadonlyArray<string> => View.view(model).map(Line.text)

const queryOf = ([, commands]: Model.Next) => {
  const [command] = commands
  return command?._tag === "LoadPage" ? command.query : undefined
}

const failure = new Unreachable({
  subject: "holiday",
  origin: "http://127.0.0.1:1",
  reason: "Timeout",
  written: false,
  cause: undefined
})

describe("mfg browse", () => {
  it("never asks for more rows than the terminal shows", () => {
    const first = opened()
    assert.strictEqual(queryOf(first)?.limit, 21)
    const small = after(loaded(first, rows(21), false, true), { _tag: "Resized", size: { columns: 80, rows: 10 } })
    assert.strictEqual(queryOf(small)?.limit, 7)
    assert.deepStrictEqual(queryOf(after(loaded(first, rows(21)), { _tag: "Resized", size })), undefined)
  })

  it("goes on to the next page below the last row, and back above the first", () => {
    const page = loaded(opened(), rows(21), false, true)
    const [bottom] = after(page, ...Array.from({ length: 20 }, () => press("down")))
    const next = after([bottom, []], press("down"))
    assert.strictEqual(queryOf(next)?.anchor._tag, "After")
    const second = loaded(next, rows(21, 21), true, true)
    assert.match(screenOf(second).at(2) ?? "", /^k21 /)
    const back = after(second, press("up"))
    assert.strictEqual(queryOf(back)?.anchor._tag, "Before")
    const [model] = loaded(back, rows(21), true, true)
    const list = Model.screen(model)
    assert.strictEqual(list._tag === "List" ? list.selected : undefined, 20)
  })

  it("fills the first page where a page before others has room left", () => {
    const second = loaded(after(loaded(opened(), rows(21), false, true), press("pagedown")), rows(21, 21), true)
    const short = loaded(after(second, press("pageup")), rows(3), false, true)
    assert.strictEqual(queryOf(short)?.anchor._tag, "First")
  })

  it("ignores the response of a screen that was left", () => {
    const list = loaded(opened(), rows(2))
    const row = after(list, press("return"))
    const [{ request }] = row
    const shown = after(row, { _tag: "RowLoaded", request, row: { id: "k0", name: "Name 0" } })
    assert.include(screenOf(shown).join("\n"), "name  Name 0")
    const left = after(row, press("escape"), { _tag: "RowLoaded", request, row: { id: "k0" } })
    assert.deepStrictEqual(screenOf(left), screenOf(list))
    const older = after(after(list, press("r"), press("r")), {
      _tag: "PageLoaded",
      request: list[0].request + 1,
      page: { rows: [], hasBefore: false, hasAfter: false, limit: 21 }
    })
    assert.match(screenOf(older).at(2) ?? "", /^k0 /)
  })

  it("applies a filter after the last key press, and restores the one before", () => {
    const list = loaded(opened(), rows(2))
    const typed = after(list, press("/"), press("x"), press("y"))
    const [command] = typed[1]
    assert.strictEqual(command?._tag === "LoadPage" ? command.delay : 0, 150)
    assert.deepStrictEqual(queryOf(typed)?.where, [
      ["or", "(id,name,companyId,createdBy,updatedBy)".replaceAll(/(\w+)/g, '$1.ilike."*xy*"')]
    ])
    assert.match(screenOf(typed).at(-1) ?? "", /^ \/ xy▏ Enter apply/)
    assert.deepStrictEqual(queryOf(after(typed, press("escape")))?.where, [])
    const conditions = after(list, press("/"), ...Array.from("year>5 and name~~A* and", (text) => press(text, text)))
    assert.deepStrictEqual(queryOf(conditions)?.where, [
      ["year", "gt.5"],
      ["name", "like.A*"]
    ])
    const mistake = after(list, press("/"), ...Array.from("yaer>5", (text) => press(text, text)))
    assert.match(screenOf(mistake).at(-1) ?? "", /yaer>5▏ Unknown field "yaer" of holiday\. Did you mean year\?/)
  })

  it("ends with the error of the first request, and shows those of others", () => {
    const first = opened()
    const [, commands] = after(first, { _tag: "Failed", request: first[0].request, failure })
    assert.deepStrictEqual(commands, [{ _tag: "Fail", failure }])
    const later = after(loaded(first, rows(2)), press("r"))
    const shown = after(later, { _tag: "Failed", request: later[0].request, failure })
    assert.match(screenOf(shown).at(-1) ?? "", /did not respond within the timeout/)
    assert.match(screenOf(shown).at(2) ?? "", /^k0 /)
  })

  it("shows the selected column of a wide resource, with the key", () => {
    const line: JsonObject = Object.fromEntries(
      Model.list(journalLine).columns.map((name) => [name, `value of ${name}`])
    )
    const columns = Model.list(journalLine).columns
    for (const [index, name] of columns.entries()) {
      const moved = after(loaded(opened(journalLine), [line]), ...Array.from({ length: index }, () => press("right")))
      const header = screenOf(moved).at(1) ?? ""
      assert.include(header, name.slice(0, 4))
      assert.match(header, /^id /)
    }
  })

  it("offers the rows that refer to a row, and follows references", () => {
    const list = loaded(opened(warehouseTransferLine), [{ id: "l1" }])
    const row = after(list, press("return"))
    const shown = after(row, { _tag: "RowLoaded", request: row[0].request, row: { id: "l1", transferId: "t1" } })
    assert.include(screenOf(shown).join("\n"), "transferId  t1 → warehouseTransfer")
    const [, commands] = after(shown, press("down"), press("return"))
    const [command] = commands
    assert.deepStrictEqual(command?._tag === "LoadRow" ? [command.resource.resource, command.key] : [], [
      "warehouseTransfer",
      "t1"
    ])
  })

  it.each([
    [80, 24],
    [20, 5],
    [200, 60],
    [33, 7]
  ])("fills a terminal of %i columns and %i lines, and no more", (columns, lines) => {
    const wide: JsonObject = { id: "漢字".repeat(30), name: "e\u0301".repeat(90), year: 2027, date: "x\ny\u001B[2J" }
    const row = after(
      loaded(
        opened(),
        Array.from({ length: 21 }, () => wide),
        true,
        true
      ),
      press("return")
    )
    const [{ request }] = row
    const shown = after(row, { _tag: "RowLoaded", request, row: wide })
    const states = [
      loaded(
        opened(),
        Array.from({ length: 21 }, () => wide),
        true,
        true
      ),
      loaded(opened(), []),
      shown,
      after(shown, press("down"), press("return")),
      after(loaded(opened(), rows(3)), press("?")),
      after(loaded(opened(), rows(3)), press("c")),
      after(loaded(opened(), rows(3)), press("/"), press("x".repeat(90), "x".repeat(90))),
      [Model.make(Model.resources, size), []] as const
    ]
    for (const state of states) {
      const screen = screenOf(after(state, { _tag: "Resized", size: { columns, rows: lines } }))
      assert.lengthOf(screen, lines)
      for (const line of screen) assert.isAtMost(Cell.width(line), columns, line)
    }
  })
})

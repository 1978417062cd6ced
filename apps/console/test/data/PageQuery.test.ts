import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Catalogue from "../../src/service/Catalogue.ts"
import * as CellText from "../../src/views/data/value/CellText.ts"
import * as GridQuery from "../../src/views/data/query/GridQuery.ts"
import * as PageQuery from "../../src/views/data/query/PageQuery.ts"
import * as TestService from "./service.ts"

let service: TestService.TestService
beforeAll(async () => void (service = await TestService.start()))
afterAll(() => service.close())

const resource = Catalogue.find("warehouseTransfer") ?? assert.fail()

/** The rows of a query, page by page as a grid fetches them. */
const walk = async (text: string, pageSize: number) => {
  const query = GridQuery.read(resource, text)
  const rows: Array<CellText.GridRow> = []
  const texts: Array<string> = []
  for (;;) {
    const page = PageQuery.toText(resource, query, { offset: rows.length, limit: pageSize, after: rows.at(-1) })
    texts.push(page)
    const found = await service.rows.list("warehouseTransfer", page)
    rows.push(...found.map(CellText.toGridRow))
    if (found.length < pageSize) return { ids: rows.map(({ values }) => values["id"]), texts }
  }
}

describe("the pages of a grid", () => {
  it("are the rows of the query in its order, with values that are null or equal", async () => {
    for (const order of [
      "status.asc",
      "status.desc,transferDate.asc",
      "notes.asc",
      "notes.desc,status.asc",
      "id.desc",
      "createdAt.desc"
    ]) {
      const whole = await service.rows.list(
        "warehouseTransfer",
        `select=id&order=${order}${order.includes("id") ? "" : ",id.asc"}`
      )
      const { ids, texts } = await walk(`order=${order}`, 3)
      assert.deepStrictEqual(
        ids,
        whole.map(({ id }) => id),
        order
      )
      assert.isAbove(texts.length, 2)
      assert.isTrue(
        texts.slice(1).every((text) => text.startsWith("and=") && !text.includes("offset")),
        order
      )
    }
  })

  it("are at an offset where no column holds the order", async () => {
    const whole = await service.rows.list("warehouseTransfer", "select=id")
    for (const query of ["", "order=customFields.asc"]) {
      const { ids, texts } = await walk(query, 4)
      assert.sameMembers(
        ids,
        whole.map(({ id }) => id)
      )
      assert.isTrue(texts.slice(1).every((text) => text.includes("offset=")))
    }
    assert.deepStrictEqual(
      (await walk("", 4)).ids,
      whole.map(({ id }) => id)
    )
  })

  it("have the key and the columns of the order besides the chosen columns, and the filters of the query", async () => {
    const query = GridQuery.read(resource, "status=eq.Draft&select=notes&order=transferDate.desc&offset=2")
    const text = PageQuery.toText(resource, query, { offset: 10, limit: 5, after: undefined })
    assert.strictEqual(
      text,
      "status=eq.Draft&select=notes,id,transferDate&order=transferDate.desc,id.asc&limit=5&offset=12"
    )
  })

  it("begin after texts with the signs of the query language", async () => {
    const reference = `a",b\\(c).d%*`
    const { companyId, fromLocationId, toLocationId } =
      (await service.rows.list("warehouseTransfer", "limit=1"))[0] ?? assert.fail()
    for (const transferId of ["WT-a", "WT-b", "WT-c"])
      await service.rows.create(
        "warehouseTransfer",
        { transferId, status: "Draft", reference, companyId, fromLocationId, toLocationId } as never,
        transferId
      )
    const { ids } = await walk("transferId=like.WT-*&reference=not.is.null&order=reference.asc", 1)
    assert.isAtLeast(ids.length, 3)
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})

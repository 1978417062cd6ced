import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Catalogue from "../../src/service/Catalogue.ts"
import * as ImportPlan from "../../src/views/data/transfer/ImportPlan.ts"
import * as RowExport from "../../src/views/data/transfer/RowExport.ts"
import * as TestService from "./service.ts"

let service: TestService.TestService
beforeAll(async () => void (service = await TestService.start()))
afterAll(() => service.close())

const resourceOf = (name: string) => Catalogue.find(name) ?? assert.fail()
const PaymentTerm = resourceOf("paymentTerm")

const header = "name,daysDue,daysDiscount,discountPercentage,calculationMethod,active,id,companyId"
const lineOf = (name: string, days: string | number) => `${name},${days},0,0,Net,true,,${service.companyId}`

describe("the import of a file", () => {
  it("lists the rows that would be refused by line, field and reason, before anything is written", async () => {
    const before = await service.rows.count("paymentTerm", "")
    const file = [header, lineOf("a", 1), lineOf("b", "soon"), lineOf("c", 3), ",4,0,0,Net,true", lineOf("e", 5)].join(
      "\r\n"
    )
    const read = ImportPlan.read(PaymentTerm, file)
    assert.deepStrictEqual(read.columns.slice(0, 2), ["name", "daysDue"])
    assert.deepStrictEqual(read.ignored, ["id"])
    assert.deepStrictEqual(
      read.problems.map(({ field, line }) => [line, field]),
      [
        [3, "daysDue"],
        [5, "name"],
        [5, "companyId"]
      ]
    )
    const checked = await ImportPlan.check(service.rows, "paymentTerm", read)
    assert.deepStrictEqual(
      checked.rows.map(({ line }) => line),
      [2, 4, 6]
    )
    assert.strictEqual(await service.rows.count("paymentTerm", ""), before)
    const { created } = await ImportPlan.run(service.rows, "paymentTerm", checked)
    assert.strictEqual(created, 3)
    assert.strictEqual(await service.rows.count("paymentTerm", ""), before + 3)
  })

  it("learns from the service which rows it refuses", async () => {
    const names = ["name", "table", "url", "active", "onInsert", "onUpdate", "onDelete", "successCount", "errorCount"]
    const row = (url: string) => ["w", "holiday", url, true, true, true, true, 0, 0, service.companyId].join(";")
    const lines = [
      [...names, "companyId"].join(";"),
      row("https://a.test/"),
      row("not an address"),
      row("https://b.test/")
    ]
    const plan = ImportPlan.read(resourceOf("webhook"), lines.join("\n"))
    assert.lengthOf(plan.rows, 3)
    const { problems, rows } = await ImportPlan.check(service.rows, "webhook", plan)
    assert.deepStrictEqual(
      problems.map(({ field, line }) => [line, field]),
      [[3, "url"]]
    )
    assert.deepStrictEqual(
      rows.map(({ line }) => line),
      [2, 4]
    )
  })

  it("refuses a file without a header of columns, by name", () => {
    const problems = (text: string) => ImportPlan.read(PaymentTerm, text).problems
    assert.match(problems("")[0]?.reason ?? "", /first line/)
    assert.deepInclude(problems("name,dayDue\na,1")[0], { line: 1, field: "dayDue" })
    assert.match(problems("name,dayDue\na,1")[0]?.reason ?? "", /did you mean daysDue/)
    assert.match(problems("name,name\na,b")[0]?.reason ?? "", /twice/)
    assert.strictEqual(problems('name\n"a')[0]?.line, 2)
  })
})

describe("an export", () => {
  const rows = [
    { id: 1, name: "a,b", tags: ["x"] },
    { id: 2, name: null, tags: [] }
  ]
  const text = async (format: RowExport.Format, all: ReadonlyArray<Record<string, never>> = rows as never) => {
    const pages = RowExport.pages(async (offset, limit) => all.slice(offset, offset + limit), Infinity, 1)
    let whole = ""
    for await (const piece of RowExport.write(format, format === "csv" ? ["id", "name", "tags"] : undefined, pages))
      whole += piece
    return whole
  }

  it("writes the rows of all pages in each format", async () => {
    assert.strictEqual(await text("csv"), 'id,name,tags\r\n1,"a,b","[""x""]"\r\n2,,[]\r\n')
    assert.deepStrictEqual(JSON.parse(await text("json")), rows)
    assert.deepStrictEqual(
      (await text("ndjson"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
      rows
    )
  })

  it("writes a whole file without rows", async () => {
    assert.strictEqual(await text("csv", []), "id,name,tags\r\n")
    assert.deepStrictEqual(JSON.parse(await text("json", [])), [])
    assert.strictEqual(await text("ndjson", []), "")
  })
})

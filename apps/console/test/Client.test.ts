import { build } from "esbuild"
import { assert, describe, it } from "vitest"
import * as Console from "./support/console.ts"

const console = Console.make()

/** A program of a browser that uses the client itself. */
const program = `
import { connect, RowNotFound } from "@mfgdata/client/promise"
import { Holiday, HolidayId, Query } from "@mfgdata/domain"

globalThis.useClient = async (apiKey) => {
  const rows = connect({ restUrl: location.origin + "/rest", apiKey, retry: false })
  const [first] = await rows.list(Holiday, { order: [Query.asc("date")], limit: 1 })
  const created = await rows.create(Holiday, { name: "In a browser", date: "2027-05-01", companyId: first.companyId })
  const changed = await rows.update(Holiday, created.id, { name: "Changed" })
  let streamed = 0
  for await (const row of rows.stream(Holiday)) if (row.id === created.id) streamed += 1
  await rows.remove(Holiday, created.id)
  const missing = await rows.retrieve(Holiday, HolidayId.make(created.id)).catch((error) => error)
  return { changed: changed.name, streamed, isMissing: missing instanceof RowNotFound, count: await rows.count(Holiday) }
}
`

describe("the client", () => {
  it("runs in a browser, under the policy of the console", async () => {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      conditions: ["@mfgdata/source"]
    })
    const visit = await console.visit()
    await visit.open("")
    await visit.page.evaluate(outputFiles[0]?.text ?? "")
    const result = await visit.page.evaluate(
      (key) => (globalThis as unknown as { useClient: (key: string) => Promise<unknown> }).useClient(key),
      console.apiKey()
    )
    const count = Number(
      (await console.send("/rest/holiday", { method: "HEAD", headers: { Prefer: "count=exact" } })).headers
        .get("content-range")
        ?.split("/")[1]
    )
    assert.deepEqual(result, { changed: "Changed", streamed: 1, isMissing: true, count })
  })
})

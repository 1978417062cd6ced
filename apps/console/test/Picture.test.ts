/**
 * Makes docs/console.png, the picture of the README: `MFG_PICTURE=write npx vitest run --project console
 * apps/console/test/Picture.test.ts`. Fonts differ between machines, so a test compares its size and what the page shows.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import * as Console from "./support/console.ts"

const console = Console.make()

const path = join(import.meta.dirname, "../../../docs/console.png")

const size = { width: 1280, height: 720 }

/** The width and height in the header of a PNG. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

describe("the picture of the console", () => {
  it("shows the rows of a resource", async () => {
    const visit = await console.signedIn(
      "/warehouseTransfer?select=transferId,status,fromLocationId,toLocationId,transferDate&order=transferDate.desc",
      { ...size, scheme: "light" }
    )
    await visit.sees("WT000006")
    await visit.seesNo("Loading")
    const png = Buffer.from(await visit.page.screenshot({ type: "png" }))
    if (process.env["MFG_PICTURE"] === "write") writeFileSync(path, png)
    assert.isTrue(existsSync(path), "docs/console.png is missing: make it with the command at the top of this file")
    assert.deepEqual(sizeOf(readFileSync(path)), sizeOf(png))
    assert.deepEqual(sizeOf(png), size)
  })
})

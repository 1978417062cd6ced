import { assert, describe, it } from "vitest"
import * as Console from "./support/console.ts"

const console = Console.make()

const get = (target: string, headers: { readonly [name: string]: string } = {}) =>
  fetch(console.origin() + target, { headers })

const assetsOf = async (): Promise<ReadonlyArray<string>> =>
  Array.from((await (await get("/console")).text()).matchAll(/\/console\/assets\/[\w.-]+/g), ([path]) => path)

describe("GET /console", () => {
  it("answers the page at every path below, with a strict policy", async () => {
    for (const path of ["/console", "/console/", "/console/holiday?date=gte.2026-01-01", "/console/a/b/c"]) {
      const response = await get(path)
      assert.strictEqual(response.status, 200, path)
      assert.strictEqual(response.headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(
        response.headers.get("content-security-policy"),
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
      assert.include(await response.text(), '<div id="app">')
    }
  })

  it("has no script and no style in the page itself", async () => {
    const page = await (await get("/console")).text()
    assert.notMatch(page, /<script(?![^>]* src=)|<style|style=| on\w+=/)
  })

  it("revalidates the page by its tag", async () => {
    const first = await get("/console")
    assert.strictEqual(first.headers.get("cache-control"), "no-cache")
    const again = await get("/console", { "If-None-Match": first.headers.get("etag") ?? "" })
    assert.strictEqual(again.status, 304)
  })

  it("serves the assets compressed by the build, for ever", async () => {
    const assets = await assetsOf()
    assert.isAtLeast(assets.length, 2)
    for (const path of assets) {
      for (const encoding of ["br", "gzip"]) {
        const response = await get(path, { "Accept-Encoding": encoding })
        assert.strictEqual(response.status, 200)
        assert.strictEqual(response.headers.get("content-encoding"), encoding)
        assert.strictEqual(response.headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.match(response.headers.get("content-type") ?? "", /^text\/(javascript|css)/)
        assert.strictEqual(response.headers.get("x-content-type-options"), "nosniff")
      }
    }
  })

  it("does not know other assets", async () => {
    for (const name of ["nothing.js", "index.html", "..%2Findex.html", "..%2f..%2fmfg-mock.js", "", ".br"]) {
      assert.strictEqual((await get(`/console/assets/${name}`)).status, 404, name)
    }
  })

  it("is named in the list of addresses", async () => {
    const { console: path }: { readonly console?: string } = await (await get("/")).json()
    assert.strictEqual(path, "/console")
  })

  it("does not let pages of other sites read it", async () => {
    const response = await get("/console", { Origin: "https://example.com" })
    assert.isNull(response.headers.get("access-control-allow-origin"))
  })

  it("refuses other methods", async () => {
    const response = await fetch(`${console.origin()}/console`, { method: "DELETE" })
    assert.strictEqual(response.status, 405)
    assert.strictEqual(response.headers.get("allow"), "GET, HEAD")
  })
})

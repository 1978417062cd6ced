import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Operations from "@mfgdata/domain/Operations"
import { assert, describe, it } from "@effect/vitest"
import { hash } from "node:crypto"
import * as OpenApiDocument from "../../../src/service/openapi/OpenApiDocument.ts"
import * as ReferencePage from "../../../src/service/openapi/ReferencePage.ts"

const { body, headers } = ReferencePage.make(OpenApiDocument.make("contract"), { hasConsole: true })

describe("the reference page", () => {
  it("has an anchor and a curl line for every operation", () => {
    const ids = [
      ...Operations.all.map(({ id }) => id),
      ...Catalogue.resources.flatMap(({ resource }) =>
        ["list", "create", "replace", "update", "delete"].map((verb) => `${resource}.${verb}`)
      )
    ]
    for (const id of ids) {
      const [, article = ""] = body.split(`<article id="${id}">`)
      assert.match(article.slice(0, article.indexOf("</article>")), /<code>curl .*Authorization: Bearer/s, id)
    }
    for (const { resource } of Catalogue.resources) assert.include(body, `href="#${resource}"`)
  })

  it("shows requests to the address of each interface", () => {
    assert.include(body, "curl &quot;$MFG_REST_URL/holiday?limit=10&quot;")
    assert.include(body, "curl -X PATCH &quot;$MFG_REST_URL/holiday?id=eq.")
    assert.include(body, "curl &quot;$MFG_BASE_URL/account/getCurrentUser&quot;")
    assert.include(body, "curl -X POST &quot;http://127.0.0.1:4010/webhooks/{id}/secret&quot;")
  })

  it("links a column to the resource that it references", () => {
    assert.include(body, `References <a href="#warehouseTransfer">warehouseTransfer</a>.id`)
  })

  it("loads nothing from elsewhere, and allows its own style and script only", () => {
    assert.notMatch(body, /(?:src|href|url)\s*[=(]\s*["']?(?:https?:)?\/\//)
    const policy = headers["Content-Security-Policy"]
    for (const tag of ["style", "script"]) {
      const [, text = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body) ?? []
      assert.include(policy, `${tag}-src 'sha256-${hash("sha256", text, "base64")}'`)
    }
    assert.include(policy, "default-src 'none'")
  })

  it("escapes the texts of the document", () => {
    const described = OpenApiDocument.make("contract")
    const wicked = { ...described, info: { ...described.info, description: `<img src=x onerror="1">` } }
    assert.include(ReferencePage.make(wicked, { hasConsole: true }).body, "&lt;img src=x onerror=&quot;1&quot;&gt;")
  })

  it("renders the tables of the description", () => {
    assert.include(body, "<tr><th>Scopes</th><th>Allow</th></tr>")
    assert.include(body, "<tr><td><code>&lt;resource&gt;:create</code></td><td>POST</td></tr>")
    assert.notInclude(body, "| --- |")
  })

  it("has distinct ids", () => {
    const ids = Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})

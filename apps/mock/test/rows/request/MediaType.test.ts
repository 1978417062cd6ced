import { assert, describe, it } from "@effect/vitest"
import * as MediaType from "../../../src/rows/request/MediaType.ts"

const json = "application/json; charset=utf-8"
const object = "application/vnd.pgrst.object+json; charset=utf-8"
const bareObject = "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8"
const bareArray = "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8"
const csv = "text/csv; charset=utf-8"

const table: ReadonlyArray<readonly [accept: string | undefined, tag: string | undefined, contentType?: string]> = [
  [undefined, "Json", json],
  ["*/*", "Json", json],
  ["application/json", "Json", json],
  ["application/*;q=0.8", "Json", json],
  ["application/json; charset=utf-8", "Json", json],
  ["APPLICATION/JSON", "Json", json],
  ["text/csv", "Csv", csv],
  ["text/*", "Csv", csv],
  ["application/vnd.pgrst.object+json", "Object", object],
  ["application/vnd.pgrst.object", "Object", object],
  ["application/vnd.pgrst.object+json;nulls=stripped", "Object", bareObject],
  ["application/vnd.pgrst.object+json; nulls=stripped", "Object", bareObject],
  ["application/vnd.pgrst.array+json", "Array", json],
  ["application/vnd.pgrst.array+json;nulls=stripped", "Array", bareArray],
  ["text/csv, application/json", "Csv", csv],
  ["text/csv;q=0.5, application/json", "Json", json],
  ["text/csv;q=0, application/json;q=0.1", "Json", json],
  ["text/html, application/xhtml+xml, */*;q=0.8", "Json", json],
  ["text/unknowntype, text/csv;q=0.2", "Csv", csv],
  ["text/csv;q=nonsense, application/json;q=0.1", "Json", json],
  ["text/unknowntype", undefined],
  ["application/vnd.pgrst.plan+text", undefined],
  ["application/openapi+json", undefined],
  ["constructor", undefined],
  ["application/json;q=0", undefined],
  ["", undefined]
]

describe("MediaType", () => {
  for (const [accept, tag, contentType] of table) {
    it(`${accept ?? "no Accept"} means ${contentType ?? "nothing available"}`, () => {
      const mediaType = MediaType.negotiate(accept)
      assert.strictEqual(mediaType?._tag, tag)
      assert.strictEqual(mediaType && MediaType.contentType(mediaType), contentType)
    })
  }
})

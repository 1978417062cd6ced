/** Tests `ETag`, `If-Match` and `If-None-Match`, which prevent lost updates. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator
const day = { name: "Founding day", date: "2026-05-01", companyId }
const object = { accept: "application/vnd.pgrst.object+json" }
const postgrest = { "content-profile": "public", "accept-profile": "public" }

/** A holiday, its address, and its current tag. */
const planted = Effect.gen(function* () {
  const service = yield* Service.Service
  yield* Sample.clear("operator")
  const created = yield* service.done("POST", "/rest/holiday", { body: day })
  const address = Sample.address(Catalogue.byName.holiday, created.row)
  return { ...service, address, id: String(created.row["id"]), tag: String(created.headers["etag"]) }
})

const failed = [412, "MF412"] as const
const anything = '"nobody-made-this"'

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("gives a single row a strong ETag, which differs after each change", () =>
    Effect.gen(function* () {
      const { address, ask, done, tag } = yield* planted
      assert.match(tag, /^"[^"]+"$/)
      const tags = [tag]
      for (const date of ["2026-05-02", "2026-05-03"]) {
        assert.strictEqual((yield* done("GET", address)).headers["etag"], tags.at(-1))
        tags.push(String((yield* done("PATCH", address, { body: { date } })).headers["etag"]))
      }
      assert.strictEqual(new Set(tags).size, 3)
      const last = tags.at(-1)
      assert.strictEqual((yield* done("PATCH", address, { body: {} })).headers["etag"], last)
      assert.strictEqual((yield* done("HEAD", address)).headers["etag"], last)
      assert.strictEqual((yield* done("GET", `${address}&select=name`)).headers["etag"], last)
      assert.strictEqual((yield* done("GET", address, { headers: object })).headers["etag"], last)
      assert.strictEqual((yield* done("GET", address, { headers: { ...object, ...postgrest } })).headers["etag"], last)
      // Another text of the same state.
      const accept = "application/vnd.pgrst.object+json;nulls=stripped"
      assert.notInclude([undefined, last], (yield* done("GET", address, { headers: { accept } })).headers["etag"])

      const minimal = { prefer: "return=minimal" }
      const changed = yield* done("PATCH", address, { body: { name: "Other" }, headers: minimal })
      assert.strictEqual((yield* done("GET", address)).headers["etag"], changed.headers["etag"])
      for (const [method, target] of [
        ["GET", "/rest/holiday"],
        ["GET", `${address}&limit=1`],
        ["DELETE", address]
      ] as const) {
        assert.isUndefined((yield* ask(method, target)).headers["etag"], `${method} ${target}`)
      }
    })
  )

  it.effect("If-Match allows a change in the state that it names, and in no other", () =>
    Effect.gen(function* () {
      const { address, ask, done, tag, world } = yield* planted
      const change = (match: string, body: object = { name: "Changed" }) =>
        ask("PATCH", address, { body, headers: { "if-match": match } })
      const before = yield* world.store.checksum
      for (const match of [anything, `${anything}, "2"`, `W/${tag}`, "nonsense", ""]) {
        assert.deepStrictEqual((yield* change(match)).verdict, failed, match)
        assert.deepStrictEqual((yield* change(match, {})).verdict, failed, match)
        for (const method of ["PUT", "DELETE"]) {
          const reply = yield* ask(method, address, { body: day, headers: { "if-match": match } })
          assert.deepStrictEqual(reply.verdict, failed, `${method} ${match}`)
        }
      }
      assert.deepStrictEqual(yield* world.store.checksum, before)

      assert.strictEqual((yield* change(`${anything}, ${tag}`)).status, 200)
      assert.deepStrictEqual((yield* change(tag)).verdict, failed)
      assert.strictEqual((yield* change("*")).status, 200)
      const { headers } = yield* done("GET", address)
      const match = { "if-match": String(headers["etag"]) }
      assert.strictEqual((yield* ask("PUT", address, { body: day, headers: match })).status, 200)
      assert.deepStrictEqual((yield* ask("DELETE", address, { headers: match })).verdict, failed)
      assert.strictEqual((yield* ask("DELETE", address, { headers: { "if-match": "*" } })).status, 204)
    })
  )

  it.effect("accepts a tag with the encoding of a compressed response, and returns the tag that the client sent", () =>
    Effect.gen(function* () {
      const { address, ask, tag } = yield* planted
      const encoded = ["br", "gzip", "zstd"].map((encoding) => tag.replace(/"$/, `-${encoding}"`))
      for (const one of encoded) {
        const known = yield* ask("GET", address, { headers: { "if-none-match": `"other", ${one}` } })
        assert.deepStrictEqual([known.status, known.headers["etag"]], [304, one])
        assert.strictEqual((yield* ask("GET", address, { headers: { "if-match": one } })).status, 200)
        assert.strictEqual((yield* ask("PATCH", address, { body: {}, headers: { "if-match": one } })).status, 200)
      }
      yield* ask("PATCH", address, { body: { name: "Other" }, headers: { "if-match": encoded.join(", ") } })
      for (const one of [...encoded, tag.replace(/"$/, '-lzma"')]) {
        const stale = yield* ask("PATCH", address, { body: { name: "Third" }, headers: { "if-match": one } })
        assert.deepStrictEqual(stale.verdict, failed)
        assert.strictEqual((yield* ask("GET", address, { headers: { "if-none-match": one } })).status, 200)
      }
    })
  )

  it.effect("gives a row that is created again under its key new tags", () =>
    Effect.gen(function* () {
      const { address, ask, done, tag } = yield* planted
      const tags = [tag]
      for (const _ of [1, 2, 3]) {
        yield* done("DELETE", address)
        tags.push(String((yield* done("PUT", address, { body: day })).headers["etag"]))
        tags.push(String((yield* done("PATCH", address, { body: { name: "Changed" } })).headers["etag"]))
      }
      assert.strictEqual(new Set(tags).size, 7)
      const stale = yield* ask("PATCH", address, { body: { name: "Lost" }, headers: { "if-match": tag } })
      assert.deepStrictEqual(stale.verdict, failed)
      const replaced = yield* ask("PUT", address, { body: day })
      assert.strictEqual(replaced.status, 200)
    })
  )

  it.effect("If-Match without a row changes no response, except for a row that would be created", () =>
    Effect.gen(function* () {
      const { ask, world } = yield* planted
      const address = "/rest/holiday?id=eq.none"
      const headers = { "if-match": "*" }
      const before = yield* world.store.checksum
      assert.deepStrictEqual((yield* ask("PATCH", address, { body: { name: "x" }, headers })).verdict, [
        404,
        "PGRST116"
      ])
      assert.deepStrictEqual((yield* ask("DELETE", address, { headers })).verdict, [404, "PGRST116"])
      assert.deepStrictEqual((yield* ask("PUT", address, { body: day, headers })).verdict, failed)
      // In PostgREST's shape the request would succeed without a row.
      const both = { ...headers, ...postgrest }
      assert.deepStrictEqual((yield* ask("PATCH", address, { body: { name: "x" }, headers: both })).verdict, failed)
      assert.deepStrictEqual((yield* ask("DELETE", address, { headers: both })).verdict, failed)
      assert.deepStrictEqual(yield* world.store.checksum, before)
    })
  )

  it.effect("runs one of two changes that name the same state", () =>
    Effect.gen(function* () {
      const { address, ask, done, tag } = yield* planted
      const headers = { "if-match": tag }
      const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`)
      const replies = yield* Effect.all(
        names.map((name) => ask("PATCH", address, { body: { name }, headers })),
        { concurrency: "unbounded" }
      )
      const [done1, ...others] = replies.filter(({ status }) => status === 200)
      assert.deepStrictEqual(others, [])
      assert.strictEqual((yield* done("GET", address)).text, done1?.text)
    })
  )

  it.effect("If-None-Match answers a known state with 304, and refuses to overwrite an existing row", () =>
    Effect.gen(function* () {
      const { address, ask, done, tag, world } = yield* planted
      for (const known of [tag, `W/${tag}`, `${anything}, ${tag}`, "*"]) {
        for (const method of ["GET", "HEAD"]) {
          const reply = yield* ask(method, address, { headers: { "if-none-match": known } })
          assert.deepStrictEqual([reply.status, reply.text, reply.headers["etag"]], [304, "", tag], known)
          assert.isUndefined(reply.headers["content-type"])
          assert.include(reply.headers["vary"], "Accept")
        }
      }
      assert.strictEqual((yield* ask("GET", address, { headers: { "if-none-match": anything } })).status, 200)
      assert.strictEqual((yield* ask("GET", "/rest/holiday", { headers: { "if-none-match": "*" } })).status, 200)
      assert.deepStrictEqual((yield* ask("GET", address, { headers: { "if-match": anything } })).verdict, failed)

      const before = yield* world.store.checksum
      const headers = { "if-none-match": "*" }
      assert.deepStrictEqual((yield* ask("PUT", address, { body: day, headers })).verdict, failed)
      assert.deepStrictEqual((yield* ask("PATCH", address, { body: {}, headers })).verdict, failed)
      assert.deepStrictEqual(yield* world.store.checksum, before)
      assert.strictEqual((yield* ask("PUT", "/rest/holiday?id=eq.new", { body: day, headers })).status, 201)
      yield* done("DELETE", "/rest/holiday?id=eq.new")
    })
  )

  it.effect("refuses a condition on rows without a key filter, and changes nothing", () =>
    Effect.gen(function* () {
      const { ask, tag, world } = yield* planted
      const before = yield* world.store.checksum
      for (const [method, target] of [
        ["POST", "/rest/holiday"],
        ["PATCH", "/rest/holiday?name=eq.Day"],
        ["DELETE", "/rest/holiday?id=not.is.null"]
      ] as const) {
        const reply = yield* ask(method, target, { body: day, headers: { "if-match": tag } })
        assert.deepStrictEqual(reply.verdict, [400, "PGRST127"], method)
        assert.include(reply.text, "If-Match")
      }
      assert.deepStrictEqual(yield* world.store.checksum, before)
    })
  )

  it.effect("treats another company's row as missing, with any tag", () =>
    Effect.gen(function* () {
      const { address, ask, tag } = yield* planted
      for (const match of ["*", tag]) {
        for (const id of [address, "/rest/holiday?id=eq.none"]) {
          const reply = yield* ask("PATCH", id, { as: "rival", body: { name: "x" }, headers: { "if-match": match } })
          assert.deepStrictEqual(reply.verdict, [404, "PGRST116"])
        }
      }
    })
  )
}

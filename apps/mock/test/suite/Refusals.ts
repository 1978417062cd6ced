/** Tests the messages of invalid values, and the values that no message may repeat. */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import * as Sample from "./Sample.ts"
import * as Service from "./Service.ts"

const { companyId } = Service.members.operator

export const suite = (it: Vitest.MethodsNonLive<Service.Service>): void => {
  it.effect("accepts keys, and names that keys are made of, up to 512 characters", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const parents = yield* Sample.plant("operator")
      const body = Sample.body(Catalogue.byName.holiday, 2, { parents, companyId })
      const put = (key: string) => ask("PUT", `/rest/holiday?id=eq.${encodeURIComponent(key)}`, { body })
      // Without repetition, which an index would compress.
      const long = (count: number) => randomBytes(count).toString("hex").slice(0, count)
      const key = long(512)
      assert.strictEqual((yield* put(key)).status, 201)
      for (const longer of [`${key}a`, "一".repeat(342)]) {
        assert.deepStrictEqual((yield* put(longer)).verdict, [400, "54000"])
      }
      const table = { module: "Sales", name: long(512) }
      yield* done("POST", "/rest/webhookTable", { body: table })
      const refused = yield* ask("POST", "/rest/webhookTable", { body: { ...table, name: long(513) } })
      assert.deepStrictEqual(refused.verdict, [400, "54000"])
      assert.include(refused.text, `\\"name\\"`)
      assert.include(refused.text, "512 characters")
    })
  )

  it.effect(
    "requires an http or https address without credentials as a webhook's url, and does not repeat another one",
    () =>
      Effect.gen(function* () {
        const { ask, done } = yield* Service.Service
        yield* Sample.clear("operator")
        const { webhook } = Catalogue.byName
        const parents = yield* Sample.plant("operator", Sample.ancestors(webhook))
        const body = Sample.body(webhook, 1, { parents, companyId })
        const { row } = yield* done("POST", "/rest/webhook", { body })
        const address = Sample.address(webhook, row)
        for (const url of [
          "",
          "hooks.example",
          "ftp://hooks.example/s3cret",
          "https://u:s3cret@hooks.example",
          "https://hooks.example/s3cret path",
          `https://hooks.example/s3cret${"a".repeat(2048)}`
        ]) {
          for (const [method, target, sent] of [
            ["POST", "/rest/webhook", { ...body, name: "Other", url }],
            ["POST", "/rest/webhook", [{ ...body, name: "Other", url }]],
            ["PATCH", address, { url }],
            ["PUT", address, { ...body, url }]
          ] as const) {
            const reply = yield* ask(method, target, { body: sent })
            assert.deepStrictEqual(reply.verdict, [400, "22P02"], `${method} ${url}`)
            assert.include(reply.text, `\\"url\\"`)
            assert.notInclude(reply.text, "s3cret")
          }
          const csv = { headers: { "content-type": "text/csv" }, body: `url\n${JSON.stringify(url)}` }
          assert.strictEqual((yield* ask("PATCH", address, csv)).status, 400)
        }
        const url = `http://127.0.0.1:4999/${"a".repeat(2000)}?b=c#d`
        assert.strictEqual((yield* done("PATCH", address, { body: { url } })).row["url"], url)
      })
  )

  it.effect("takes a date in a filter of timestamps as the moment at which the day begins", () =>
    Effect.gen(function* () {
      const { ask, done } = yield* Service.Service
      yield* Sample.clear("operator")
      const inspection = Sample.body(Catalogue.byName.inboundInspection, 1, { parents: new Map(), companyId })
      const moments = ["2026-01-30T23:59:59.999999Z", "2026-01-31T00:00:00Z", "2026-01-31T12:30:00Z"]
      yield* done("POST", "/rest/inboundInspection", {
        body: moments.map((dispositionedAt, index) => ({
          ...inspection,
          dispositionedAt,
          inboundInspectionId: `i${index}`,
          receiptLineId: `r${index}`
        }))
      })
      for (const [filter, count] of [
        ["gte.2026-01-31", 2],
        ["lt.2026-01-31", 1],
        ["eq.2026-01-31", 1],
        ["in.(2026-01-31,2026-01-30)", 1],
        ["gt.2026-01-31T00:00:00%2B00:00", 1]
      ] as const) {
        const target = `/rest/inboundInspection?dispositionedAt=${filter}`
        assert.lengthOf((yield* done("GET", target)).rows, count, filter)
      }
      for (const [value, code] of [
        ["2026-02-30", "22008"],
        ["31.01.2026", "22007"]
      ] as const) {
        const reply = yield* ask("GET", `/rest/inboundInspection?dispositionedAt=gte.${value}`)
        assert.deepStrictEqual(reply.verdict, [400, code], value)
        assert.include(reply.text, "dispositionedAt")
      }
    })
  )

  it.effect("repeats no value of a secret column and no key, anywhere in an address", () =>
    Effect.gen(function* () {
      const { ask } = yield* Service.Service
      for (const search of [
        "clientSecret=s3cret",
        "clientSecret=eq(any).{s3cret",
        "clientSecret=in.(s3cret",
        "clientSecret=s3cret.eq",
        "or=(clientSecret.s3cret)",
        "and=(name.eq.a,or(clientSecret.s3cret.eq,id.eq.b))",
        "not.or=(id.eq.a,clientSecret.in.(s3cret)",
        "clientSecret->>a=eq.s3cret",
        "clientSecret=is.s3cret",
        "name=mfg_s3cret",
        "or=(name.mfg_s3cret)"
      ]) {
        const reply = yield* ask("GET", `/rest/oauthClient?${search}`)
        assert.isTrue(reply.status >= 400 && reply.status < 500, search)
        assert.notInclude(reply.text, "s3cret", search)
      }
      // Values of other columns are repeated, because they help to find the mistake.
      assert.include((yield* ask("GET", "/rest/oauthClient?name=plain")).text, "plain")
    })
  )
}

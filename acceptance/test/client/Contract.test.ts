/** Checks services against the contract, as the tests of an application do. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { assert, describe, it, layer } from "@effect/vitest"
import { Rows } from "@mfgdata/client"
import * as Contract from "@mfgdata/client/Contract"
import { OptionInvalid } from "@mfgdata/client/ClientError"
import { Holiday, Kanban } from "@mfgdata/domain"
import * as Mock from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"

const ready = Effect.gen(function* () {
  const { apiKey, restUrl } = yield* Mock.World
  return yield* Rows.make({ restUrl, apiKey })
})

/** The texts of the responses of a service, changed. */
const altered = (change: (path: string, text: string) => string) =>
  Effect.provideServiceEffect(
    HttpClient.HttpClient,
    Effect.map(HttpClient.HttpClient, (client) =>
      HttpClient.transform(client, (response, request) =>
        Effect.flatMap(response, (response) =>
          Effect.map(response.text, (text) => {
            const headers = Object.entries(response.headers)
            const { status } = response
            const body =
              status === 204 || request.method === "HEAD" ? null : change(new URL(request.url).pathname, text)
            return HttpClientResponse.fromWeb(request, new Response(body, { status, headers }))
          })
        )
      )
    )
  )

describe("Contract.check", () => {
  layer(Mock.layer())((it) => {
    it.effect("accepts the service of this project, for every resource", () =>
      Effect.gen(function* () {
        const { differences, score } = yield* Contract.check(yield* ready)
        assert.deepStrictEqual(differences, [])
        assert.isAbove(score.total.probes, 29 * 50)
        assert.strictEqual(score.total.alike, score.total.probes)
      })
    )

    it.effect("accepts PostgREST's shape", () =>
      Effect.gen(function* () {
        const { apiKey, restUrl } = yield* Mock.World
        const rows = yield* Rows.make({ restUrl: `${restUrl}/v1`, apiKey })
        yield* Contract.check(rows, { resources: [Holiday, Kanban] })
      })
    )

    it.effect("fails with the difference that breaks a type of a named resource, and with its curl line", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Contract.check(yield* ready, { resources: [Holiday] }))
        assert.instanceOf(error, Contract.ContractBroken)
        assert.deepStrictEqual(
          error.differences.map(({ finding, subject, verdict }) => [subject, finding._tag, verdict]),
          [["holiday", "ColumnDiffers", "breaks-types"]]
        )
        assert.include(error.message, "holiday, list: column name: expected string, got number")
        assert.include(error.message, `curl -i -H "Authorization: Bearer $MFG_API_KEY" "$MFG_REST_URL"'/holiday`)
      }).pipe(altered((_, text) => text.replaceAll(/"name":"[^"]*"/g, '"name":1')))
    )

    it.effect("accepts differences in resources that are not named, and ignored ones", () =>
      Effect.gen(function* () {
        const rows = yield* ready
        yield* Contract.check(rows, { resources: [Kanban] })
        const { differences } = yield* Contract.check(rows, {
          resources: [Holiday],
          ignore: ({ finding }) => "column" in finding && finding.column === "name"
        })
        assert.lengthOf(differences, 1)
      }).pipe(
        altered((path, text) => (path === "/rest/holiday" ? text.replaceAll(/"name":"[^"]*"/g, '"name":1') : text))
      )
    )

    it.effect("accepts columns that the contract does not have", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* Contract.check(yield* ready, { resources: [Holiday] })).differences, [])
      }).pipe(
        // Rows that are read whole.
        altered((_, text) => text.replaceAll(/(?<="tags":[^}]*)\}/g, ',"plant":"north"}'))
      )
    )

    it.effect("fails where errors cannot be read", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Contract.check(yield* ready, { resources: [Kanban] }))
        assert.instanceOf(error, Contract.ContractBroken)
        assert.include(
          error.differences.map(({ finding }) => finding._tag),
          "ErrorFieldsDiffer"
        )
        assert.isTrue(error.differences.every(({ verdict }) => verdict === "breaks-errors"))
      }).pipe(altered((_, text) => text.replace('"code":', '"error":')))
    )
  })

  it.effect("refuses a hand-made service by name", () =>
    Effect.gen(function* () {
      const rows = yield* ready
      const exit = yield* Effect.sandbox(Contract.check({ ...rows, transport: undefined } as typeof rows)).pipe(
        Effect.flip
      )
      assert.isTrue(exit._tag === "Die" && exit.defect instanceof OptionInvalid && exit.defect.message.includes("rows"))
    }).pipe(Effect.provide(Mock.layer({ seed: { _tag: "Empty" } })))
  )
})

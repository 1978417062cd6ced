import { assert, it } from "@effect/vitest"
import { Query } from "@mfgdata/domain"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as OpenTransfers from "../src/OpenTransfers.ts"

it.effect("the address carries the query, and nothing else", () =>
  Effect.gen(function* () {
    const url = new URL(yield* OpenTransfers.address)
    assert.strictEqual(`${url.origin}${url.pathname}`, "http://127.0.0.1:4010/rest/warehouseTransfer")
    assert.deepStrictEqual(
      [...url.searchParams],
      [
        ["select", "id,status,transferDate"],
        ["status", "eq.Draft"],
        ["transferDate", "gte.2026-01-01"],
        ["order", "transferDate.desc"],
        ["limit", "50"]
      ]
    )
    assert.deepStrictEqual(Query.parse(url.searchParams), Either.right(OpenTransfers.query))
  }).pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["MFG_REST_URL", "http://127.0.0.1:4010/rest"]]))))
)

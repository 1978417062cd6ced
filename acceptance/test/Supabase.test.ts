/**
 * Runs every form of call of the published supabase-js against the built service.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Database } from "@mfgdata/client/supabase"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { createClient } from "@supabase/supabase-js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { createClient as createFirst } from "supabase-js-1"
import { createClient as createEarly } from "supabase-js-2.0"
import * as BuiltService from "../src/BuiltService.ts"
import * as Embedding from "./supabase/Embedding.ts"
import { type Client, lines, terms, transfers } from "./supabase/Form.ts"
import * as First from "./supabase/First.ts"
import * as Reading from "./supabase/Reading.ts"
import * as Writing from "./supabase/Writing.ts"

class Service extends Context.Tag("Service")<Service, BuiltService.BuiltService>() {}

/** supabase-js subscribes to nothing here; on Node 20, without a native WebSocket, it requires a transport. */
class NoSocket {}
const realtime = { transport: NoSocket as never }

const versions: ReadonlyArray<
  readonly [name: string, isEarly: boolean, make: (served: BuiltService.BuiltService) => Client]
> = [
  ["supabase-js 2.x, the newest", false, ({ key, origin }) => createClient<Database>(origin, key, { realtime })],
  // An early client has the calls of the newest one, and sends them in its own way.
  ["supabase-js 2.0.0", true, ({ key, origin }) => createEarly(origin, key, { realtime }) as unknown as Client]
]

const stores: ReadonlyArray<readonly [name: string, store: Effect.Effect<string, never, Scope.Scope>]> = [
  ["SQLite", Effect.succeed("sqlite::memory:")],
  ["PostgreSQL", Effect.flatMap(PostgresServer.url, Schema.fresh)]
]

const send = (served: BuiltService.BuiltService, method: string, path: string, body?: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${served.origin}/rest/v1/${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${served.key}`,
        "Content-Type": "application/json",
        Prefer: "resolution=merge-duplicates"
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    assert.isTrue(response.ok, await response.text())
  })

/** The rows before every call. */
const plant = Effect.gen(function* () {
  const served = yield* Service
  for (const resource of ["warehouseTransferLine", "warehouseTransfer", "paymentTerm", "oauthClient"]) {
    yield* send(served, "DELETE", `${resource}?id=not.is.null`)
  }
  yield* send(served, "POST", "paymentTerm", terms)
  yield* send(served, "POST", "warehouseTransfer", transfers)
  yield* send(served, "POST", "warehouseTransferLine", lines)
  return served
})

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null

/** The parts of a call's result that are expected. */
const partOf = (result: unknown, promised: object): unknown => {
  assert.isTrue(isObject(result))
  if (!isObject(result)) return result
  const code = isObject(result["error"]) ? result["error"]["code"] : undefined
  const all = { ...result, code }
  return Object.fromEntries(Object.keys(promised).map((name) => [name, all[name as keyof typeof all]]))
}

const check = (promised: object, run: (served: BuiltService.BuiltService) => PromiseLike<unknown>) =>
  Effect.gen(function* () {
    const served = yield* plant
    const result = yield* Effect.promise(async () => run(served))
    assert.deepStrictEqual(partOf(result, promised), promised, JSON.stringify(result))
  })

for (const [store, address] of stores) {
  describe(`on ${store}`, () => {
    it.layer(
      Layer.scoped(
        Service,
        Effect.flatMap(address, (address) => BuiltService.serve(address))
      )
    )((it) => {
      for (const [version, isEarly, make] of versions) {
        describe(`by ${version}`, () => {
          for (const { call, gives, run, since } of [...Reading.forms, ...Embedding.forms, ...Writing.forms]) {
            if (isEarly && since === undefined) continue
            it.effect(call, () => check(gives, (served) => run(make(served))))
          }
        })
      }
      describe("supabase-js 1.35.7", () => {
        for (const { call, gives, run } of First.forms) {
          it.effect(call, () => check(gives, ({ key, origin }) => run(createFirst(origin, key))))
        }
      })
    })
  })
}

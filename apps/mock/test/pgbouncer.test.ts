/** Runs the core of the suite through PgBouncer in transaction mode, with fewer sessions than connections. */
import * as PgBouncer from "@mfgdata/testing-postgres/PgBouncer"
import * as Schema from "@mfgdata/testing-postgres/Schema"
import * as PostgresServer from "@mfgdata/testing-postgres/vitest"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Settings from "../src/Settings.ts"
import * as Administration from "./suite/Administration.ts"
import * as Bounds from "./suite/Bounds.ts"
import * as Bulk from "./suite/Bulk.ts"
import * as Changes from "./suite/Changes.ts"
import * as Idempotency from "./suite/Idempotency.ts"
import * as Keys from "./suite/Keys.ts"
import * as Service from "./suite/Service.ts"
import * as Upserts from "./suite/Upserts.ts"
import * as Verbs from "./suite/Verbs.ts"

const fresh: Service.Fresh = Effect.gen(function* () {
  const server = yield* Schema.database(yield* PostgresServer.url)
  const pooler = yield* PgBouncer.start(server, { mode: "transaction", sessions: 3 })
  const url = new URL(pooler.url)
  url.searchParams.set("max", "6")
  const address = Settings.settings.store.parse(url.href)
  assert(address?._tag === "Postgres")
  return address
})

const pooling = "transaction"

describe.skipIf(PgBouncer.version === undefined)(`the service through PgBouncer${PgBouncer.absent}`, () => {
  layer(Service.layer(fresh, { pooling }))("verbs, many rows, repeated and conflicting writes", (it) => {
    Verbs.suite(it)
    Bulk.suite(it)
    Idempotency.suite(it)
    Upserts.suite(it)
  })
  layer(Service.layer(fresh, { pooling }))("keys", Keys.suite)
  layer(Service.layer(fresh, { pooling }))("bounds", Bounds.suite)
  layer(Service.layer(fresh, { pooling, ...Administration.options }))("history of changes", Changes.suite)
})

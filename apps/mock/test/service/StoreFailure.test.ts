/** Tests what callers, operators and orchestrators see while the store fails. */
import * as PostgresSchema from "@mfgdata/testing-postgres/Schema"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as path from "node:path"
import * as Instance from "../../src/service/Instance.ts"
import * as Settings from "../../src/Settings.ts"
import * as Postgres from "../postgres/schema.ts"
import { scratch } from "../store/scratch.ts"
import * as Wait from "../Wait.ts"

const key = "mfg_store_failure_key"
const secret = "Founding day of nobody else"
const holiday = { name: secret, date: "2027-05-01", companyId: "demo" }

/** A service on a store, with its log. */
const serve = (store: Settings.StoreAddress) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const { service, world } = yield* Instance.make({
      settings: { ...Settings.defaults, store, seed: { _tag: "Empty" }, apiKey: key },
      write: (line) => lines.push(line)
    })
    const ask = (method: string, target: string, body?: unknown) =>
      Effect.map(
        service.handle({
          method,
          target,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body: body === undefined ? "" : JSON.stringify(body)
        }),
        ({ body, headers, status }) => ({ status, headers, text: String(body) })
      )
    const messages = () =>
      lines.flatMap((line) => {
        const { msg: message, requestId, ...rest } = JSON.parse(line)
        return requestId !== undefined ? [] : [{ message: String(message), level: rest.level, code: rest.code }]
      })
    const metrics = Effect.map(
      service.monitoring.handle({ method: "GET", target: "/metrics", headers: {}, body: "" }),
      ({ body }) => String(body)
    )
    return { ask, metrics, world, lines, messages }
  })

type Served = Effect.Effect.Success<ReturnType<typeof serve>>

const pause = Effect.sleep("1100 millis")

/** Fails writes by `exhaust`, frees the space by `free`, and expects the same of both stores. */
const suite = (served: Served, text: string, exhaust: Effect.Effect<unknown>, free: Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const { ask, lines, messages, metrics } = served
    yield* exhaust
    for (let count = 0; count < 5; count++) {
      const { status, text } = yield* ask("POST", "/rest/holiday", { ...holiday, name: secret.padEnd(2_000_000, "x") })
      assert.strictEqual(status, 503)
      assert.deepInclude(JSON.parse(text), { code: "53100", message: "The store has no space left" })
    }
    yield* pause
    const unready = yield* ask("GET", "/health/ready")
    assert.strictEqual(unready.status, 503)
    assert.deepStrictEqual(JSON.parse(unready.text), {
      status: "unready",
      reason: "Full",
      message: "The store has no space left: free space on its disk"
    })
    assert.propertyVal(yield* ask("GET", "/rest/holiday?limit=1"), "status", 200)
    const [opening, ...others] = messages()
    assert.include(opening?.message, `The store cannot commit: ${text}`)
    assert.lengthOf(others, 0, JSON.stringify(others))
    assert.match(yield* metrics, /store_failures_total\{operation="commit",code="\w+"\} ([6-9]|\d\d)/)
    yield* free
    yield* Wait.until(ask("GET", "/health/ready"), ({ status }) => status === 200)
    let days = 0
    const created = Effect.map(
      Effect.suspend(() => ask("POST", "/rest/holiday", { ...holiday, name: `${secret} ${days++}` })),
      ({ status }) => [status, messages()[1]] as const
    )
    // The line follows a write that succeeds a second after the last failure.
    const [status, closing] = yield* Wait.until(created, ([, closing]) => closing !== undefined)
    assert.strictEqual(status, 201)
    assert.match(closing?.message ?? "", /^The store commits again, after \d+ failures in \d+ s/)
    assert.strictEqual(closing?.level, "warn")
    assert.notInclude(lines.join(""), "Founding")
  })

describe("a store without space", () => {
  it.scopedLive("refuses writes with a code, is not ready, and logs the cause once: SQLite", () =>
    Effect.gen(function* () {
      const served = yield* serve({ _tag: "Sqlite", path: path.join(yield* scratch, "mock.db") })
      const pragma = (text: string) =>
        Effect.orDie(Effect.suspend(() => served.world.store.read({ text: `PRAGMA ${text}`, parameters: [] })))
      const pages = Number((yield* pragma("page_count"))[0]?.[0])
      yield* suite(
        served,
        "SQLITE_FULL: database or disk is full",
        pragma(`max_page_count = ${pages}`),
        pragma("max_page_count = 1000000")
      )
    })
  )

  it.scopedLive("refuses writes with a code, is not ready, and logs the cause once: PostgreSQL", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const served = yield* serve(address)
      // The server's error of a full disk, with a detail that contains the row.
      const trigger = (table: string) =>
        `CREATE TRIGGER no_space BEFORE INSERT ON "${table}" FOR EACH ROW EXECUTE FUNCTION no_space();`
      const exhaust = `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_TABLE_NAME = '_meta' THEN
            IF NEW."key" <> 'space' THEN RETURN NEW; END IF;
          END IF;
          RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device'
            USING ERRCODE = '53100', DETAIL = to_json(NEW)::text;
        END $$;
        ${trigger("holiday")} ${trigger("_meta")}`
      yield* suite(
        served,
        `53100: could not extend file "base/5/16384": No space left on device`,
        PostgresSchema.run(address.url, exhaust),
        PostgresSchema.run(address.url, "DROP FUNCTION no_space CASCADE")
      )
    })
  )
})

describe("a damaged page of PostgreSQL", () => {
  it.scopedLive("is 503 with a code, and its cause is in the log", () =>
    Effect.gen(function* () {
      const address = yield* Postgres.fresh
      const { ask, messages } = yield* serve(address)
      // The server's error of a damaged page, for the rows of one table.
      yield* PostgresSchema.run(
        address.url,
        `CREATE FUNCTION damaged() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          RAISE EXCEPTION 'invalid page in block 0 of relation base/5/16384' USING ERRCODE = 'XX001', DETAIL = to_json(NEW)::text;
        END $$;
        CREATE TRIGGER damaged BEFORE INSERT ON "holiday" FOR EACH ROW EXECUTE FUNCTION damaged()`
      )
      const { status, text } = yield* ask("POST", "/rest/holiday", holiday)
      assert.strictEqual(status, 503)
      assert.propertyVal(JSON.parse(text), "code", "XX001")
      assert.deepStrictEqual(
        messages().map(({ message }) => message),
        ["The store cannot commit: XX001: invalid page in block 0 of relation base/5/16384"]
      )
      assert.propertyVal(yield* ask("GET", "/health/ready"), "status", 503)
      assert.propertyVal(yield* ask("GET", "/rest/paymentTerm"), "status", 200)
    })
  )
})

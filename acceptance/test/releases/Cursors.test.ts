/** Continues from the cursors of each release, over the rows that they were made of. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Cursor, Rows } from "@mfgdata/client"
import { Holiday, HolidayId, Query } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Release from "../../src/release/Release.ts"

/** Rows with equal values, null and JSON, so that each term of an order decides. */
const seed = {
  companies: [{ id: "c1", name: "Company" }],
  users: [{ id: "u1", email: "u1@example.com", firstName: "User", lastName: "One", companyIds: ["c1"] }],
  rows: {
    holiday: Array.from({ length: 12 }, (_, index) => ({
      id: `h${String(index).padStart(2, "0")}`,
      name: `Day "${index % 3}" ü`,
      date: `2026-0${1 + (index % 4)}-01`,
      year: index % 2 === 0 ? 2026.5 : null,
      customFields: index % 3 === 0 ? { rank: index } : null,
      companyId: "c1",
      createdBy: "u1",
      createdAt: `2026-01-01T00:00:${String(index).padStart(2, "0")}.123456+01:00`
    }))
  }
}

/** The orders of the cursors, by the names that the files have. */
const orders = {
  key: [],
  date: [Query.desc("date")],
  "year, nulls first": [Query.asc("year", { nulls: "first" }), Query.asc("name")],
  "year, nulls last": [Query.desc("year", { nulls: "last" })],
  createdAt: [Query.asc("createdAt")],
  JSON: [Query.asc("customFields"), Query.desc("name")]
}

interface Place {
  readonly order: string
  readonly cursor: string
  /** The keys of the rows that follow. */
  readonly next: ReadonlyArray<string>
}

const folder = mkdtempSync(join(tmpdir(), "cursors-"))
const file = join(folder, "seed.json")
writeFileSync(file, JSON.stringify(seed))

const service = Layer.unwrapEffect(Effect.map(Testing.World, (world) => Rows.layer(world))).pipe(
  Layer.provideMerge(Testing.layer({ seed: { _tag: "File", path: file } }))
)

/** The keys of the page after a cursor. */
const pageAfter = (name: string, after: Cursor.Cursor | undefined) =>
  Effect.gen(function* () {
    const rows = yield* Rows
    // A file names no other orders.
    const order = orders[name as keyof typeof orders]
    const page = yield* rows.page(Holiday, { order, limit: 5, ...(after === undefined ? {} : { after }) })
    return { keys: page.rows.map(({ id }) => String(id)), next: page.next }
  })

const make = Effect.gen(function* () {
  const places: Array<Place> = []
  for (const order of Object.keys(orders)) {
    const { next: first } = yield* pageAfter(order, undefined)
    const { keys, next: second } = yield* pageAfter(order, first)
    places.push({ order, cursor: String(first), next: keys })
    places.push({ order, cursor: String(second), next: (yield* pageAfter(order, second)).keys })
  }
  const fromKey = Cursor.fromKey(Holiday, HolidayId.make("h03"))
  places.push({ order: "key", cursor: fromKey, next: (yield* pageAfter("key", fromKey)).keys })
  return `${JSON.stringify(places, undefined, 2)}\n`
})

const files = await Release.fixture("client", "cursors.json", () => Effect.runPromise(Effect.provide(make, service)))

afterAll(() => rmSync(folder, { recursive: true }))

describe("the cursors of releases", () => {
  it.layer(service)((it) => {
    it.effect.each(files.versions)("are continued: %s", (version) =>
      Effect.gen(function* () {
        const places: ReadonlyArray<Place> = JSON.parse(files.read(version).toString())
        assert.isAtLeast(places.length, 2 * Object.keys(orders).length)
        const found = yield* Effect.forEach(places, ({ cursor, order }) =>
          Effect.map(pageAfter(order, Cursor.fromText(cursor)), ({ keys }) => ({ order, cursor, next: keys }))
        )
        assert.deepStrictEqual(found, places)
        assert.isAbove(places.flatMap(({ next }) => next).length, 20)
      })
    )
  })
})

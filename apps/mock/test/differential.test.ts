/**
 * Random rows, and random questions and changes about them, on both stores: the answers are the same JSON. A failure
 * prints its seed; `DIFFERENTIAL_SEED` repeats it, and `DIFFERENTIAL_RUNS` says how many are tried.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"
import * as Instance from "../src/service/Instance.ts"
import type { Condition } from "../src/sql/Condition.ts"
import * as Mutation from "../src/sql/Mutation.ts"
import type { OrderTerm } from "../src/sql/Order.ts"
import type { Owned } from "../src/sql/Owned.ts"
import * as Reading from "../src/sql/Reading.ts"
import type { Store } from "../src/store/Store.ts"
import * as Postgres from "./postgres/schema.ts"
import { type Row, whole } from "./sql/memory.ts"
import * as Random from "./sql/random.ts"

const runs = Number(process.env["DIFFERENTIAL_RUNS"] ?? 300)
const seed = Number(process.env["DIFFERENTIAL_SEED"] ?? Date.now() % 2 ** 31)

interface Plan {
  readonly resource: Resource.Any
  readonly rows: ReadonlyArray<Row>
  readonly where: Condition
  readonly order: ReadonlyArray<OrderTerm>
  readonly limit: number
  readonly offset: number
  /** What one row gives to all that pass. */
  readonly changed: Row
}

const plans: fc.Arbitrary<Plan> = Random.resource.chain((resource) =>
  fc.record({
    resource: fc.constant(resource),
    rows: Random.rows(resource),
    where: Random.condition(resource),
    order: Random.order(resource),
    limit: fc.nat(12),
    offset: fc.nat(3),
    changed: Random.row(resource, "key")
  })
)

/** What a store makes of a plan, as JSON. */
const answers = (store: Store["Type"], { changed, limit, offset, order, resource, rows, where }: Plan) =>
  Effect.gen(function* () {
    const { dialect } = store
    const owned: Owned = { resource, owner: { companyId: "acme", userId: "ann" } }
    const write = ({ affected, steps }: Mutation.Mutation) =>
      Effect.map(store.change({ steps, settle: (results) => Either.right(affected(results)) }), (all): Json =>
        all.map(({ json, key, revision }) => [JSON.parse(String(json)), key, revision])
      )
    const ask = (where: ReadonlyArray<Condition>) =>
      Effect.map(
        store.read(Reading.page(dialect, { owned, selection: whole, where, order, limit, offset, counted: true })),
        ([row]): Json => [JSON.parse(String(row?.[0])), Number(row?.[1]), Number(row?.[2])]
      )
    const unique = resource.facts.unique.flatMap(({ columns }) => columns)
    const set = Object.fromEntries(
      Object.entries(changed).filter(([name]) => name !== resource.key && !unique.includes(name))
    )
    // What a plan that failed has left behind.
    yield* write(Mutation.remove(dialect, { owned, where: [], order: [], selection: whole }))
    const inserted = yield* write(Mutation.insert(dialect, { owned, rows, selection: whole }))
    const read = yield* ask([where])
    const updated = yield* write(Mutation.update(dialect, { owned, where: [where], order, set, selection: whole }))
    const reread = yield* ask([])
    const removed = yield* write(Mutation.remove(dialect, { owned, where: [where], order, selection: whole }))
    const rest = yield* write(Mutation.remove(dialect, { owned, where: [], order: [], selection: whole }))
    return { inserted, read, updated, reread, removed, rest }
  })

describe("both stores", () => {
  it.scopedLive(
    `answer ${runs} random plans alike`,
    () =>
      Effect.gen(function* () {
        const open = (store: Parameters<typeof Instance.open>[0]["store"]) =>
          Instance.open({ store, rules: "contract" })
        const embedded = yield* open({ _tag: "Sqlite", path: ":memory:" })
        const server = yield* open(yield* Postgres.fresh)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(plans, async (plan) => {
              const [one, other] = await Effect.runPromise(
                Effect.all([answers(embedded.store, plan), answers(server.store, plan)])
              )
              assert.deepStrictEqual(other, one)
            }),
            { numRuns: runs, seed }
          )
        )
      }),
    { timeout: 600_000 }
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Change, StoreRefusal } from "../../../src/sql/Change.ts"
import * as CommitQueue from "../../../src/store/sqlite/CommitQueue.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { Refused } from "../../../src/store/Store.ts"
import { statement, insert, setUp, full, together, reasonOf } from "./commits.ts"

describe("CommitQueue", () => {
  it.effect("returns the result that a change resolves to", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      assert.strictEqual(yield* queue.change(insert("a")), "a")
      assert.deepStrictEqual(ids(), ["a"])
    })
  )

  it.effect("shares one commit among changes that arrive together", () =>
    Effect.gen(function* () {
      const { begun, queue } = setUp()
      yield* together(Array.from({ length: 64 }, (_, index) => queue.change(insert(`${index}`))))
      assert.strictEqual(begun(), 1)
      assert.deepInclude(queue.statistics(), { commits: 1, changes: 64, waiting: 0 })
      assert.isAbove(queue.statistics().commitSeconds.sum, 0)
    })
  )

  it.effect("commits on the next turn of the event loop", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const fiber = yield* Effect.fork(queue.change(insert("a")))
      yield* Effect.promise(() => Promise.resolve())
      assert.deepStrictEqual(ids(), [])
      assert.strictEqual(queue.statistics().waiting, 1)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual(ids(), ["a"])
      yield* Fiber.join(fiber)
    })
  )

  it.effect("limits a commit to 256 changes and to a number of characters", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(CommitQueue.limits, {
        waiting: 4096,
        changes: 256,
        characters: 8 * 1024 * 1024,
        millis: 10,
        waitMillis: 4000
      })
      const many = setUp()
      yield* together(Array.from({ length: 600 }, (_, index) => many.queue.change(insert(`${index}`))))
      assert.strictEqual(many.begun(), 3)
      const long = setUp({ characters: 10 })
      const ids = ["12345", "67890", "a", "one that is longer than all", "b", "c"]
      yield* together(ids.map((id) => long.queue.change(insert(id))))
      assert.strictEqual(long.begun(), 4)
      assert.sameMembers(long.ids(), ids)
    })
  )

  it.effect("commits the neighbours of a change that is refused, fails to resolve, or has a defect", () =>
    Effect.gen(function* () {
      const { begun, ids, queue } = setUp()
      const refusal: StoreRefusal = { _tag: "ParentMissing", resource: "t", column: "up", parent: "u", field: "id" }
      const changes: ReadonlyArray<Change<unknown, string>> = [
        insert("a"),
        insert("a"),
        { ...insert("resolved badly"), resolve: () => Either.left("too many") },
        {
          steps: [...insert("guarded").steps, { _tag: "Guard", statement: statement("SELECT 1"), refusal }],
          resolve: Either.right
        },
        { ...insert("thrown"), steps: [...insert("thrown").steps, { _tag: "Run", statement: statement("nonsense") }] },
        {
          ...insert("resolved worse"),
          resolve: () => {
            throw new Error("a defect")
          }
        },
        {
          steps: [{ _tag: "Guard", statement: statement("SELECT 1 WHERE 0"), refusal }, ...insert("b").steps],
          resolve: ([rows]) => Either.right(rows?.[0]?.[0])
        }
      ]
      const [a, again, cardinality, guarded, nonsense, thrown, b] = yield* together(changes.map(queue.change))
      assert.strictEqual(begun(), 1)
      assert.deepStrictEqual(ids(), ["a", "b"])
      assert.deepStrictEqual(a, Exit.succeed("a"))
      assert.deepStrictEqual(
        again,
        Exit.fail(new Refused({ refusal: { _tag: "Duplicate", resource: "t", columns: ["id"], constraint: "t_pkey" } }))
      )
      assert.deepStrictEqual(cardinality, Exit.fail("too many"))
      assert.deepStrictEqual(guarded, Exit.fail(new Refused({ refusal })))
      assert.strictEqual(reasonOf(nonsense!), "Die")
      assert.strictEqual(reasonOf(thrown!), "Die")
      assert.deepStrictEqual(b, Exit.succeed("b"))
    })
  )

  it.effect("rolls back a change without a savepoint that has a defect after it wrote", () =>
    Effect.gen(function* () {
      const { begun, ids, queue } = setUp()
      const whole = (id: string): Change<string, never> => ({ ...insert(id), isFinal: true })
      const broken: Change<string, never> = {
        ...whole("resolved worse"),
        resolve: () => {
          throw new Error("a defect")
        }
      }
      const changes = [whole("a"), insert("b"), broken, whole("a"), whole("c"), insert("d")]
      const exits = yield* together(changes.map(queue.change))
      assert.deepStrictEqual(exits.map(reasonOf), ["success", "success", "Die", "Fail", "success", "success"])
      assert.deepStrictEqual(exits[4], Exit.succeed("c"))
      assert.deepStrictEqual(ids(), ["a", "b", "c", "d"])
      assert.strictEqual(begun(), 2)
      assert.deepInclude(queue.statistics(), { commits: 1, changes: 6 })
      assert.isTrue(queue.healthy())
    })
  )

  it.effect("fails every change of a failing commit, and recovers with the next one", () =>
    Effect.gen(function* () {
      const { driver, failing, ids, queue } = setUp()
      for (const text of ["BEGIN IMMEDIATE", "RELEASE change", "COMMIT"]) {
        failing.set(text, full)
        const exits = yield* together([queue.change(insert("a")), queue.change(insert("b"))])
        assert.deepStrictEqual(exits.map(reasonOf), ["Full", "Full"])
        assert.isFalse(queue.healthy())
        assert.isFalse(driver.inTransaction())
        assert.deepStrictEqual(ids(), [])
        failing.clear()
      }
      // If the rollback fails too, the next commit finds the transaction open and rolls it back.
      failing.set("COMMIT", full).set("ROLLBACK", full)
      assert.deepStrictEqual((yield* together([queue.change(insert("a"))])).map(reasonOf), ["Full"])
      assert.isTrue(driver.inTransaction())
      failing.clear()
      assert.deepStrictEqual((yield* together([queue.change(insert("b"))])).map(reasonOf), ["CommitFailed"])
      assert.deepStrictEqual(ids(), [])
      yield* queue.change(insert("c"))
      assert.isTrue(queue.healthy())
      assert.deepStrictEqual(ids(), ["c"])
    })
  )

  it.effect("reports that memory is out", () =>
    Effect.gen(function* () {
      const { failing, queue } = setUp()
      failing.set("COMMIT", new SqliteDriver.SqliteError({ code: "SQLITE_NOMEM", message: "out of memory" }))
      assert.deepStrictEqual((yield* together([queue.change(insert("a"))])).map(reasonOf), ["OutOfMemory"])
    })
  )

  it.effect("fails the whole commit when the disk fails under one change", () =>
    Effect.gen(function* () {
      const { driver, ids, queue } = setUp()
      const pages = driver.execute(statement("PRAGMA page_count"))[0]?.[0]
      driver.script(`PRAGMA max_page_count = ${pages}`)
      const exits = yield* together([queue.change(insert("a")), queue.change(insert("x".repeat(1_000_000)))])
      assert.deepStrictEqual(exits.map(reasonOf), ["Full", "Full"])
      const [first] = exits
      assert.strictEqual(
        first?._tag === "Failure" && first.cause._tag === "Fail" ? String(first.cause.error.cause) : "",
        String(full)
      )
      assert.isFalse(queue.healthy())
      assert.deepStrictEqual(ids(), [])
    })
  )

  it.effect("accepts the changes of a company when the maximum of another one is waiting", () =>
    Effect.gen(function* () {
      const { queue } = setUp({ waiting: 16 })
      const of = (companyId: string, count: number) =>
        Array.from({ length: count }, (_, index) => queue.change({ ...insert(`${companyId} ${index}`), companyId }))
      const exits = yield* together([...of("one", 20), ...of("other", 2)])
      assert.deepStrictEqual(exits.map(reasonOf), [
        ...Array.from({ length: 16 }, () => "success"),
        ...Array.from({ length: 4 }, () => "Overloaded"),
        "success",
        "success"
      ])
    })
  )

  it.effect("refuses changes when its maximum is waiting", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp({ waiting: 16 })
      const exits = yield* together(Array.from({ length: 20 }, (_, index) => queue.change(insert(`${index}`))))
      const refused = exits.filter(Exit.isFailure)
      assert.deepStrictEqual(
        refused.map(reasonOf),
        Array.from({ length: 4 }, () => "Overloaded")
      )
      const error = yield* Effect.flip(Effect.suspend(() => refused[0]!))
      assert.deepInclude(error, { retryAfterSeconds: 1 })
      assert.lengthOf(ids(), 16)
      assert.strictEqual(yield* queue.change(insert("later")), "later")
    })
  )

  it.effect("finishes the changes that it accepted although their callers are interrupted", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const fiber = yield* Effect.fork(queue.change(insert("a")))
      yield* Effect.yieldNow()
      assert.strictEqual(queue.statistics().waiting, 1)
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
      yield* queue.change(insert("b"))
      assert.deepStrictEqual(ids(), ["a", "b"])
    })
  )

  it.effect("commits its accepted changes on closing, and refuses new ones", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp({ changes: 2 })
      const fibers = yield* Effect.forEach(["a", "b", "c"], (id) => Effect.fork(queue.change(insert(id))))
      yield* Effect.yieldNow()
      yield* Effect.promise(queue.close)
      assert.deepStrictEqual(ids(), ["a", "b", "c"])
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(fibers)), ["a", "b", "c"])
      assert.strictEqual(reasonOf(yield* Effect.exit(queue.change(insert("d")))), "Closed")
    })
  )

  /** A change that inserts a number of rows, which are staged first. */
})

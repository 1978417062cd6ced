import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Change, StoreRefusal } from "../../../src/sql/Change.ts"
import type { Parameter, Statement } from "../../../src/sql/Statement.ts"
import * as CommitQueue from "../../../src/store/sqlite/CommitQueue.ts"
import * as SqliteDriver from "../../../src/store/sqlite/SqliteDriver.ts"
import { Refused, StoreUnavailable } from "../../../src/store/Store.ts"

const statement = (text: string, ...parameters: ReadonlyArray<Parameter>): Statement => ({ text, parameters })

const insert = (id: string): Change<string, never> => ({
  steps: [{ _tag: "Run", statement: statement(`INSERT INTO "t" ("id") VALUES (?) RETURNING "id"`, id) }],
  resolve: ([rows]) => Either.right(String(rows?.[0]?.[0]))
})

/** A driver that records its statements, and can be made to fail. */
const setUp = (limits?: Partial<CommitQueue.Limits>, log?: Parameters<typeof CommitQueue.make>[1]) => {
  const driver = SqliteDriver.open(":memory:")
  driver.script(`CREATE TABLE "t" ("id" TEXT PRIMARY KEY)`)
  const ran: Array<string> = []
  const failing = new Map<string, Error>()
  const run = (text: string) => {
    ran.push(text)
    const failure = failing.get(text)
    if (failure !== undefined) throw failure
  }
  const queue = CommitQueue.make(
    {
      inTransaction: driver.inTransaction,
      execute: (statement) => {
        run(statement.text)
        return driver.execute(statement)
      },
      script: (text) => {
        run(text)
        driver.script(text)
      }
    },
    log,
    { ...CommitQueue.limits, ...limits }
  )
  const ids = () => driver.execute(statement(`SELECT "id" FROM "t" ORDER BY "id"`)).map(([id]) => id)
  const begun = () => ran.filter((text) => text === "BEGIN IMMEDIATE").length
  return { driver, queue, failing, ids, begun }
}

const full = new SqliteDriver.SqliteError({ code: "SQLITE_FULL", message: "database or disk is full" })

const together = <A, E>(changes: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(changes.map(Effect.exit), { concurrency: "unbounded" })

const reasonOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.match(exit, {
    onSuccess: () => "success",
    onFailure: (cause) =>
      cause._tag === "Fail" && cause.error instanceof StoreUnavailable ? cause.error.reason : cause._tag
  })

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
      assert.deepStrictEqual(CommitQueue.limits, { waiting: 4096, changes: 256, characters: 8 * 1024 * 1024 })
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
  const long = (count: number, prefix: string): Change<number, never> => ({
    companyId: prefix,
    staged: Array.from({ length: count }, (_, index) => [`${prefix}${index}`]),
    steps: [{ _tag: "Run", statement: statement(`INSERT INTO "t" SELECT "c0" FROM temp."_staged" ORDER BY "place"`) }],
    resolve: () => Either.right(count)
  })

  it.effect("commits short changes while the rows of a long one are staged", () =>
    Effect.gen(function* () {
      const { begun, ids, queue } = setUp()
      const bulk = yield* Effect.fork(queue.change(long(20_000, "row")))
      yield* Effect.yieldNow()
      let shared = 0
      while (begun() === shared) {
        yield* queue.change(insert(`${shared}`))
        shared += 1
      }
      assert.isAtLeast(shared, 3)
      assert.strictEqual(yield* Fiber.join(bulk), 20_000)
      assert.lengthOf(ids(), 20_000 + shared)
      assert.strictEqual(yield* queue.change(long(1, "next")), 1)
      assert.lengthOf(ids(), 20_001 + shared)
    })
  )

  it.effect("drops a long change whose caller is interrupted before its transaction begins", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const isStaging = yield* Effect.fork(queue.change(long(20_000, "staging")))
      const isWaiting = yield* Effect.fork(queue.change(long(1, "waiting")))
      yield* Effect.yieldNow()
      yield* queue.change(insert("a"))
      assert.strictEqual(queue.statistics().waiting, 2)
      yield* Fiber.interrupt(isWaiting)
      yield* Fiber.interrupt(isStaging)
      assert.strictEqual(queue.statistics().waiting, 0)
      assert.strictEqual(yield* queue.change(long(2, "next")), 2)
      assert.deepStrictEqual(ids(), ["a", "next0", "next1"])
    })
  )

  it.effect("stages and commits the accepted long changes on closing", () =>
    Effect.gen(function* () {
      const { ids, queue } = setUp()
      const fibers = yield* Effect.forEach(["a", "b"], (name) => Effect.fork(queue.change(long(10_000, name))))
      yield* Effect.yieldNow()
      yield* queue.change(insert("c"))
      yield* Effect.promise(queue.close)
      yield* Fiber.join(Fiber.all(fibers))
      assert.lengthOf(ids(), 20_001)
    })
  )

  /** A log whose syncs are ended by the test. */
  const manual = () => {
    const syncs: Array<{ readonly resolve: () => void; readonly reject: (cause: Error) => void }> = []
    const state: { busy: Promise<void> | undefined } = { busy: undefined }
    const log = {
      sync: () => new Promise<void>((resolve, reject) => syncs.push({ resolve, reject })),
      shrink: () => undefined,
      busy: () => state.busy
    }
    return { log, state, syncs }
  }

  const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

  it.effect("responds in order when a commit is durable, and commits together what arrives during a sync", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { ids, queue } = setUp({}, log)
      const responses: Array<string> = []
      queue.subscribe(() => responses.push("event"))
      const publishing: Change<string, never> = {
        steps: [...insert("b").steps, { _tag: "Publish", statement: statement("SELECT 1") }],
        resolve: ([rows]) => Either.right(String(rows?.[0]?.[0]))
      }
      for (const change of [insert("a"), publishing, insert("c")]) {
        yield* Effect.fork(Effect.map(queue.change(change), (id) => responses.push(id)))
        yield* turn
        yield* turn
      }
      assert.deepStrictEqual(ids(), ["a"])
      assert.deepStrictEqual(responses, [])
      assert.deepInclude(queue.statistics(), { commits: 0, waiting: 3 })
      assert.lengthOf(syncs, 1)
      syncs[0]!.resolve()
      yield* turn
      yield* turn
      assert.deepStrictEqual(responses, ["a"])
      assert.deepStrictEqual(ids(), ["a", "b", "c"])
      assert.lengthOf(syncs, 2)
      syncs[1]!.resolve()
      yield* turn
      assert.deepStrictEqual(responses, ["a", "event", "b", "c"])
      assert.deepInclude(queue.statistics(), { commits: 2, changes: 3, waiting: 0 })
      assert.lengthOf(syncs, 2)
    })
  )

  it.effect("fails the changes of a failed sync, and is unhealthy until one succeeds", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { queue } = setUp({}, log)
      const failed = yield* Effect.fork(Effect.exit(queue.change(insert("a"))))
      yield* turn
      yield* turn
      syncs[0]!.reject(new Error("EIO"))
      assert.strictEqual(reasonOf(yield* Fiber.join(failed)), "CommitFailed")
      assert.isFalse(queue.healthy())
      const next = yield* Effect.fork(queue.change(insert("b")))
      yield* turn
      yield* turn
      assert.isFalse(queue.healthy())
      syncs[1]!.resolve()
      assert.strictEqual(yield* Fiber.join(next), "b")
      assert.isTrue(queue.healthy())
    })
  )

  it.effect("begins no commit while the log is copied", () =>
    Effect.gen(function* () {
      const { log, state, syncs } = manual()
      const { begun, queue } = setUp({}, log)
      let end = () => {}
      state.busy = new Promise((resolve) => (end = resolve))
      const change = yield* Effect.fork(queue.change(insert("a")))
      yield* turn
      yield* turn
      assert.strictEqual(begun(), 0)
      state.busy = undefined
      end()
      yield* turn
      yield* turn
      assert.strictEqual(begun(), 1)
      syncs[0]!.resolve()
      assert.strictEqual(yield* Fiber.join(change), "a")
    })
  )

  it.effect("waits for the last sync when it closes", () =>
    Effect.gen(function* () {
      const { log, syncs } = manual()
      const { queue } = setUp({}, log)
      const change = yield* Effect.fork(queue.change(insert("a")))
      yield* Effect.yieldNow()
      let isClosed = false
      void queue.close().then(() => (isClosed = true))
      yield* turn
      assert.isFalse(isClosed)
      syncs[0]!.resolve()
      assert.strictEqual(yield* Fiber.join(change), "a")
      yield* turn
      assert.isTrue(isClosed)
    })
  )
})

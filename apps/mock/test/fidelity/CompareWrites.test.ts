import type { Difference } from "@mfgdata/client/contract/Difference"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import { assert, describe, it } from "@effect/vitest"
import type { Json } from "@mfgdata/domain/Json"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ComparedService } from "../../src/fidelity/ComparedService.ts"
import * as OwnWorld from "../../src/fidelity/OwnWorld.ts"
import * as Marker from "../../src/fidelity/write/Marker.ts"
import * as Postgres from "../postgres/schema.ts"
import { altered, compare, ofClass, options, rows } from "./worlds.ts"

const { holiday, kanban, nonConformance, warehouseTransfer, workCenterShift } = Catalogue.byName

const messages = (differences: ReadonlyArray<Difference>) =>
  differences.map(({ message, probe, subject }) => `${subject} ${probe}: ${message}`)

/** All rows of a service, as text. */
const contents = <E>({ ask }: ComparedService<E>) =>
  Effect.map(
    Effect.forEach(Catalogue.resources, ({ key, resource }) =>
      ask({ method: "GET", face: "rows", target: `/${resource}?order=${key}.asc` })
    ),
    (answers) => answers.map(({ text }) => text).join("\n")
  )

describe("a comparison of writes", () => {
  it.live("finds no difference to an equal service, in all resources, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const theirs = yield* OwnWorld.start(options)
      yield* theirs.ask({
        method: "POST",
        face: "rows",
        target: "/holiday",
        body: JSON.stringify({ name: "ä", date: "2031-05-01", companyId: "elsewhere" })
      })
      const before = yield* contents(theirs)
      const report = yield* compare(theirs, Catalogue.resources, { write: true })
      assert.deepStrictEqual(messages(report.differences), [])
      assert.deepStrictEqual(report.left, [])
      assert.deepStrictEqual(
        report.notWritten.map(({ subject }) => subject),
        ["trackedActivityOutput"]
      )
      assert.strictEqual(yield* contents(theirs), before)
      assert.includeMembers(
        Object.keys(report.score.subjects),
        Catalogue.resources.map(({ resource }) => resource)
      )
      assert.includeMembers(Object.keys(report.score.subjects["holiday"]?.verbs ?? {}), [
        "create",
        "update",
        "upsert",
        "delete"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("finds no difference to a service of this project on PostgreSQL with other rows", () =>
    Effect.gen(function* () {
      const store = yield* Postgres.fresh
      const theirs = yield* OwnWorld.start({ ...options, store, seed: { _tag: "Empty" } })
      const report = yield* compare(theirs, [holiday, kanban, warehouseTransfer], { write: true })
      assert.deepStrictEqual(messages(report.differences), [])
      assert.notInclude(yield* contents(theirs), Marker.prefix)
    }).pipe(Effect.scoped)
  )

  it.live("finds the rules of the public system: references, unique columns, vocabularies", () =>
    Effect.gen(function* () {
      const theirs = yield* OwnWorld.start({ ...options, rules: "public" })
      const report = yield* compare(
        theirs,
        [holiday, nonConformance, workCenterShift, Catalogue.byName.warehouseTransferLine],
        {
          write: true
        }
      )
      const found = ofClass(report, "constraint").map(({ finding }) =>
        finding._tag === "ConstraintDiffers" && finding.theirs && !finding.ours
          ? `${finding.constraint} ${finding.columns.join(",")}`
          : "another"
      )
      assert.includeMembers(found, ["vocabulary status", "reference transferId", "unique date"])
      assert.notInclude(yield* contents(theirs), Marker.prefix)
    }).pipe(Effect.scoped)
  )

  const cases: ReadonlyArray<{
    readonly title: string
    readonly alter: Parameters<typeof altered>[1]
    readonly finding: Partial<Record<string, unknown>>
  }> = [
    {
      title: "the status of a create",
      alter: (request, answer) =>
        request.method === "POST" && answer.status === 201 ? { ...answer, status: 200 } : answer,
      finding: { _tag: "StatusDiffers", ours: 201, theirs: 200 }
    },
    {
      title: "a default",
      alter: rows((row) => (row["customFields"] === null ? { ...row, customFields: { plant: "north" } } : row)),
      finding: { _tag: "DefaultDiffers", column: "customFields", ours: null, theirs: { plant: "north" } }
    },
    {
      title: "a required column that they fill",
      alter: (request, answer) => {
        const body: Json = request.method === "POST" && request.body?.startsWith('{"') ? JSON.parse(request.body) : null
        const isMissing = typeof body === "object" && body !== null && !("date" in body) && answer.status === 400
        return isMissing ? { ...answer, status: 201, text: "{}" } : answer
      },
      finding: { _tag: "ConstraintDiffers", constraint: "required", columns: ["date"], ours: true, theirs: false }
    },
    {
      title: "the form of a date that was written",
      alter: (request, answer) =>
        request.method === "PATCH"
          ? { ...answer, text: answer.text.replace("2030-05-01", "2030-05-01T00:00:00") }
          : answer,
      finding: { _tag: "FormDiffers", column: "date", ours: ["as sent"] }
    },
    {
      title: "the status of a delete",
      alter: (request, answer) =>
        request.method === "DELETE" && answer.status === 204 ? { ...answer, status: 200 } : answer,
      finding: { _tag: "StatusDiffers", ours: 204, theirs: 200 }
    }
  ]

  for (const { alter, finding, title } of cases) {
    it.live(`finds ${title}`, () =>
      Effect.gen(function* () {
        const theirs = altered(yield* OwnWorld.start(options), alter)
        const { differences } = yield* compare(theirs, [holiday], { write: true })
        const isFound = differences.some((difference) =>
          Object.entries(finding).every(([name, value]) => {
            const actual = Object.entries(difference.finding).find(([field]) => field === name)?.[1]
            return JSON.stringify(actual) === JSON.stringify(value)
          })
        )
        assert.isTrue(isFound, messages(differences).join("\n"))
        assert.notInclude(yield* contents(theirs), Marker.prefix)
      }).pipe(Effect.scoped)
    )
  }

  it.live("changes and removes rows of its own only", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      const own = new Set<string>()
      const foreign: Array<string> = []
      const theirs: ComparedService<never> = {
        ...world,
        ask: (request) => {
          const [, key] = /\?id=eq\.([^&]+)/.exec(request.target) ?? []
          const isWrite = request.method === "PATCH" || request.method === "PUT" || request.method === "DELETE"
          if (isWrite && (key === undefined || !(own.has(key) || key === "mfg-compare-absent")))
            foreign.push(request.target)
          return Effect.tap(world.ask(request), ({ text }) =>
            Effect.sync(() => {
              if (!text.includes(Marker.prefix)) return
              for (const [, id = ""] of text.matchAll(/"id":"([^"]+)"/g)) own.add(id)
            })
          )
        }
      }
      yield* compare(theirs, [holiday, kanban], { write: true })
      assert.isAbove(own.size, 10)
      assert.deepStrictEqual(foreign, [])
    }).pipe(Effect.scoped)
  )

  it.live("removes its rows from a service that knows no filter but the key", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      const error = { code: "PGRST100", message: "unknown filter", details: null, hint: null }
      const theirs = altered(world, (request, answer) =>
        /[?&](name=|order=)/.test(request.target)
          ? { ...answer, status: 400, text: JSON.stringify(error) }
          : request.target === "/holiday?limit=1000"
            ? { ...answer, text: "[]" }
            : answer
      )
      const report = yield* compare(theirs, [holiday], { write: true })
      assert.deepStrictEqual(report.left, [])
      const { text } = yield* world.ask({ method: "GET", face: "rows", target: "/holiday" })
      assert.notInclude(text, Marker.prefix)
      // A row that no search finds is made only where the response has its key.
      assert.isFalse(report.differences.some(({ probe }) => probe === "create.minimal"))
    }).pipe(Effect.scoped)
  )

  it.live("removes its rows when it is interrupted", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      let created = 0
      const theirs: ComparedService<never> = {
        ...world,
        ask: (request) =>
          Effect.tap(world.ask(request), () => {
            if (request.method === "POST" && request.face === "rows" && ++created === 5) return Effect.interrupt
            return Effect.void
          })
      }
      const fiber = yield* Effect.fork(compare(theirs, [holiday], { write: true }))
      yield* Fiber.await(fiber)
      assert.strictEqual(created, 5)
      assert.notInclude(yield* contents(world), Marker.prefix)
    }).pipe(Effect.scoped)
  )

  it.live("removes the rows that a killed run has left, and no others of that form", () =>
    Effect.gen(function* () {
      const theirs = yield* OwnWorld.start(options)
      // No process has the largest identifier.
      const killed = Marker.start(Date.now() - 60_000, 4_194_304).next()
      const running = Marker.start(Date.now() - 60_000, process.ppid).next()
      const someone = `${Marker.prefix}notes of a person`
      for (const name of [killed, running, someone]) {
        const body = JSON.stringify({ name, date: "2031-01-01", companyId: "demo" })
        yield* theirs.ask({ method: "POST", face: "rows", target: "/holiday", body })
      }
      yield* compare(theirs, [kanban], { write: true })
      const { text } = yield* theirs.ask({ method: "GET", face: "rows", target: "/holiday" })
      assert.notInclude(text, killed)
      assert.include(text, running)
      assert.include(text, someone)
    }).pipe(Effect.scoped)
  )

  it.live("names a resource whose creates are refused, with the reason", () =>
    Effect.gen(function* () {
      const error = { code: "42501", message: "permission denied", details: null, hint: null }
      const theirs = altered(yield* OwnWorld.start(options), (request, answer) =>
        request.method === "POST" && request.target === "/kanban"
          ? { ...answer, status: 403, text: JSON.stringify(error) }
          : answer
      )
      const report = yield* compare(theirs, [kanban], { write: true })
      assert.deepStrictEqual(report.notWritten, [
        { subject: "kanban", reason: "a create is refused with status 403: permission denied" }
      ])
    }).pipe(Effect.scoped)
  )
})

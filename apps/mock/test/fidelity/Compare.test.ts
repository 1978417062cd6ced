import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Difference } from "@mfgdata/client/contract/Difference"
import * as Report from "@mfgdata/client/contract/Report"
import type * as Ask from "@mfgdata/client/contract/Ask"
import { assert, describe, it } from "@effect/vitest"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OwnWorld from "../../src/fidelity/OwnWorld.ts"
import * as ReportText from "../../src/fidelity/ReportText.ts"
import * as Surveys from "../../src/fidelity/Surveys.ts"
import * as Postgres from "../postgres/schema.ts"
import { altered, compare, ofClass, options, rows } from "./worlds.ts"

const { holiday, kanban, nonConformance, oauthClient, warehouseTransfer } = Catalogue.byName

/** The messages of differences, for a readable failure. */
const messages = (differences: ReadonlyArray<Difference>) =>
  differences.map(({ message, probe, subject }) => `${subject} ${probe}: ${message}`)

const json = (answer: Ask.Answer, body: unknown, status = answer.status): Ask.Answer => ({
  status,
  headers: answer.headers,
  text: JSON.stringify(body)
})

/** Creates holidays with other values than those of the demo. */
const fill = (ask: Ask.Ask<never>) =>
  Effect.forEach(["b", "A", "ä", "Z"], (name, index) =>
    ask({
      method: "POST",
      face: "rows",
      target: "/holiday",
      body: JSON.stringify({
        name,
        date: `2031-05-0${index + 1}`,
        companyId: "elsewhere",
        tags: index === 0 ? null : [name]
      })
    })
  )

describe("a comparison", () => {
  it.live("finds no difference to a service of this project on PostgreSQL with other rows", () =>
    Effect.gen(function* () {
      const store = yield* Postgres.fresh
      const theirs = yield* OwnWorld.start({ ...options, store, seed: { _tag: "Empty" } })
      yield* fill(theirs.ask)
      const report = yield* compare(theirs, [holiday, nonConformance, kanban])
      assert.deepStrictEqual(messages(report.differences), [])
      assert.isAbove(report.score.total.probes, 300)
      assert.strictEqual(report.score.total.alike, report.score.total.probes)
      assert.include(report.empty, "kanban")
      assert.notInclude(report.empty, "holiday")
    }).pipe(Effect.scoped)
  )

  const cases: ReadonlyArray<{
    readonly title: string
    readonly alter: (request: Ask.Request, answer: Ask.Answer) => Ask.Answer
    readonly finding: Partial<Record<string, unknown>>
    readonly verdict: Difference["verdict"]
    /** The resource to compare (default: holidays). */
    readonly resource?: Resource.Any
  }> = [
    {
      title: "a column that the contract does not have",
      alter: rows((row) => ("name" in row ? { ...row, plant: "north" } : row)),
      finding: { _tag: "ColumnDiffers", column: "plant", ours: null, theirs: { types: ["string"], nullable: false } },
      verdict: "visible"
    },
    {
      title: "a column that holds arrays",
      alter: rows((row) => ("date" in row ? { ...row, date: [row["date"] ?? null] } : row)),
      finding: { _tag: "ColumnDiffers", column: "date" },
      verdict: "breaks-types"
    },
    {
      title: "a column without a value",
      alter: rows((row) => ("name" in row ? { ...row, name: null } : row)),
      finding: { _tag: "ColumnDiffers", column: "name" },
      verdict: "breaks-types"
    },
    {
      title: "numbers as text",
      alter: rows((row) => ("year" in row ? { ...row, year: String(row["year"]) } : row)),
      finding: { _tag: "ColumnDiffers", column: "year" },
      verdict: "breaks-types"
    },
    {
      title: "a row as an array",
      alter: (request, answer) =>
        request.method === "GET" &&
        answer.status === 200 &&
        answer.text.startsWith("{") &&
        request.target.startsWith("/holiday?")
          ? json(answer, [JSON.parse(answer.text)])
          : answer,
      finding: { _tag: "BodyDiffers", ours: "object", theirs: "array" },
      verdict: "visible"
    },
    {
      title: "a status",
      alter: (request, answer) =>
        request.target.includes("mfg-compare-absent") && answer.status === 404 ? { ...answer, status: 410 } : answer,
      finding: { _tag: "StatusDiffers", ours: 404, theirs: 410 },
      verdict: "breaks-errors"
    },
    {
      title: "a header that only they send",
      alter: (_, answer) => ({ ...answer, headers: { ...answer.headers, "x-plant": "north" } }),
      finding: { _tag: "HeaderDiffers", header: "x-plant", ours: null, theirs: "north" },
      verdict: "cosmetic"
    },
    {
      title: "a header that they lack",
      alter: (_, { headers: { "content-range": _range, ...headers }, ...answer }) => ({ ...answer, headers }),
      finding: { _tag: "HeaderDiffers", header: "content-range", theirs: null },
      verdict: "visible"
    },
    {
      title: "an error code",
      alter: (_, answer) => ({ ...answer, text: answer.text.replace('"42703"', '"E100"') }),
      finding: { _tag: "CodeDiffers", ours: "42703", theirs: "E100" },
      verdict: "visible"
    },
    {
      title: "the fields of an error",
      alter: (_, answer) => (answer.text.includes('"42703"') ? json(answer, { error: "no such column" }) : answer),
      finding: {
        _tag: "ErrorFieldsDiffer",
        ours: { code: "string", details: "null", hint: "null", message: "string" },
        theirs: { error: "string" }
      },
      verdict: "breaks-errors"
    },
    {
      title: "the text of an error",
      alter: (_, answer) => ({ ...answer, text: answer.text.replace("does not exist", "is unknown") }),
      finding: { _tag: "ErrorTextDiffers", field: "message" },
      verdict: "cosmetic"
    },
    {
      title: "the place of nulls in an order",
      resource: nonConformance,
      alter: (request, answer) => {
        if (!/order=\w+\.asc(&|$)/.test(request.target) || answer.status !== 200) return answer
        const [, column = ""] = /order=(\w+)/.exec(request.target) ?? []
        // a list of rows
        const all = JSON.parse(answer.text) as ReadonlyArray<Record<string, unknown>>
        const isNull = (row: Record<string, unknown>) => row[column] === null
        return json(answer, [...all.filter(isNull), ...all.filter((row) => !isNull(row))])
      },
      finding: { _tag: "OrderDiffers", ours: "nulls last", theirs: "nulls first" },
      verdict: "visible"
    },
    {
      title: "the form of timestamps",
      alter: rows((row) =>
        typeof row["createdAt"] === "string" ? { ...row, createdAt: row["createdAt"].replace("Z", "+00:00") } : row
      ),
      finding: { _tag: "FormDiffers", column: "createdAt", theirs: ["T, milliseconds, +00:00"] },
      verdict: "visible"
    },
    {
      title: "a filter that finds nothing",
      alter: (request, answer) =>
        request.target.includes("=ilike.")
          ? { ...answer, text: "[]", headers: { ...answer.headers, "content-range": "*/*" } }
          : answer,
      finding: { _tag: "ResultDiffers", aspect: "rows", ours: "1", theirs: "0" },
      verdict: "visible"
    }
  ]

  for (const { alter, finding, resource = holiday, title, verdict } of cases) {
    it.live(`finds ${title}`, () =>
      Effect.gen(function* () {
        const theirs = altered(yield* OwnWorld.start(options), alter)
        const { differences } = yield* compare(theirs, [resource])
        const found = differences.find((difference) =>
          Object.entries(finding).every(([name, value]) => {
            const actual = Object.entries(difference.finding).find(([field]) => field === name)?.[1]
            return JSON.stringify(actual) === JSON.stringify(value)
          })
        )
        assert.isDefined(found, messages(differences).join("\n"))
        assert.strictEqual(found.verdict, verdict)
        assert.match(found.curl, /^curl -i .*"Authorization: Bearer \$MFG_API_KEY".*http:\/\/mock\.test/)
        assert.isNotNull(found.exchanges.theirs)
      }).pipe(Effect.scoped)
    )
  }

  it.live("finds words of a vocabulary that are not known, and a closed vocabulary", () =>
    Effect.gen(function* () {
      const theirs = altered(yield* OwnWorld.start({ ...options, rules: "public" }), (request, answer) =>
        rows((row) => ("priority" in row ? { ...row, priority: "Urgent" } : row))(request, answer)
      )
      const report = yield* compare(theirs, [nonConformance])
      const [vocabulary] = ofClass(report, "vocabulary")
      assert.deepInclude(vocabulary?.finding, {
        column: "priority",
        vocabulary: "nonConformancePriority",
        theirs: ["Urgent"]
      })
      const closed = ofClass(report, "constraint").map(({ finding }) => finding)
      assert.deepInclude(closed, {
        _tag: "ConstraintDiffers",
        constraint: "vocabulary",
        columns: ["priority"],
        ours: false,
        theirs: true
      })
    }).pipe(Effect.scoped)
  )

  it.live("counts a difference once, with each of its places and the times that it was seen", () =>
    Effect.gen(function* () {
      const theirs = altered(yield* OwnWorld.start(options), (_, answer) => ({
        ...answer,
        headers: { ...answer.headers, "x-plant": "north" }
      }))
      const { differences, score } = yield* compare(theirs, [holiday, kanban])
      assert.lengthOf(differences, 1)
      const { places, seen } = differences[0] ?? assert.fail("no difference")
      assert.includeMembers(Object.keys(places), ["service", "account.getCurrentUser", "holiday", "kanban"])
      assert.strictEqual(seen.times, seen.of)
      assert.strictEqual(score.total.alike, score.total.probes)
    }).pipe(Effect.scoped)
  )

  it.live("counts another form of bodies once for each verb", () =>
    Effect.gen(function* () {
      const theirs = altered(yield* OwnWorld.start(options), (_, answer) =>
        answer.status === 200 && answer.text.startsWith("{") ? json(answer, [JSON.parse(answer.text)]) : answer
      )
      const { differences } = yield* compare(theirs, [holiday, kanban])
      const bodies = differences.filter(({ finding }) => finding._tag === "BodyDiffers")
      const ofRows = bodies.filter(({ verb }) => verb === "retrieve")
      assert.lengthOf(ofRows, 1)
      const probes = ["retrieve", "retrieve.object", "retrieve.select"]
      assert.sameMembers([...(ofRows[0]?.places["holiday"] ?? [])], probes)
      assert.sameMembers([...(ofRows[0]?.places["kanban"] ?? [])], probes)
    }).pipe(Effect.scoped)
  )

  it.live("leaves out what differs between two responses of one side", () =>
    Effect.gen(function* () {
      let requests = 0
      const theirs = altered(yield* OwnWorld.start(options), (_, answer) => ({
        ...answer,
        status: ++requests % 2 === 0 && answer.status === 200 ? 203 : answer.status
      }))
      const { differences } = yield* compare(theirs, [holiday])
      assert.isBelow(differences.length, 40)
      assert.isFalse(differences.some(({ seen }) => seen.times > 40))
    }).pipe(Effect.scoped)
  )

  it.live("reduces the request to the parameters that show the difference", () =>
    Effect.gen(function* () {
      const theirs = altered(yield* OwnWorld.start(options), (request, answer) =>
        request.target.includes("offset=") ? { ...answer, headers: { ...answer.headers, "x-page": "two" } } : answer
      )
      const { differences } = yield* compare(theirs, [holiday])
      const page = differences.find(({ finding }) => finding._tag === "HeaderDiffers")
      assert.strictEqual(
        page?.curl,
        `curl -i -H "Authorization: Bearer $MFG_API_KEY" 'http://mock.test/rest/holiday?offset=1'`
      )
    }).pipe(Effect.scoped)
  )

  it.live("keeps keys and secrets out of every form of the report", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      const key = Redacted.value(world.apiKey)
      const secret = "a-client-secret"
      const theirs = altered(world, (request, answer) =>
        rows((row) => ({ ...row, clientSecret: secret, accessToken: secret, echo: key }))(request, {
          ...answer,
          headers: { ...answer.headers, "x-key": key }
        })
      )
      const report = yield* compare(theirs, [oauthClient])
      assert.deepStrictEqual(Schema.decodeUnknownSync(Report.Report)(JSON.parse(JSON.stringify(report))), report)
      assert.isAbove(report.differences.length, 1)
      for (const text of [
        JSON.stringify(report),
        ReportText.markdown(report),
        ReportText.ndjson(report),
        ReportText.text(report)
      ]) {
        assert.notInclude(text, secret)
        assert.notInclude(text, key)
      }
    }).pipe(Effect.scoped)
  )

  it.live("names rows that disappear while they are read, and compares the rest", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      let reads = 0
      // The rows of the first lists are gone afterwards.
      const theirs = altered(world, (request, answer) =>
        request.target.startsWith("/holiday") && request.method === "GET" && answer.text.startsWith("[") && ++reads > 2
          ? { ...answer, text: "[]", headers: { ...answer.headers, "content-range": "*/*" } }
          : request.target.startsWith("/holiday?id=eq.") &&
              !request.target.includes("absent") &&
              answer.text.startsWith("{")
            ? { ...answer, status: 404, text: '{"code":"PGRST116","message":"gone","details":null,"hint":null}' }
            : answer
      )
      const report = yield* compare(theirs, [holiday])
      assert.deepStrictEqual(report.changing, ["holiday"])
      assert.deepStrictEqual(
        messages(report.differences.filter(({ probe }) => probe === "retrieve" || probe === "retrieve.select")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("reports a resource that they do not have, and leaves out one that the key may not read", () =>
    Effect.gen(function* () {
      const world = yield* OwnWorld.start(options)
      const error = { code: "42P01", message: "no such table", details: null, hint: null }
      const missing = altered(world, (request, answer) =>
        request.target.startsWith("/kanban") ? json(answer, error, 404) : answer
      )
      const theirs = {
        ...missing,
        leftOut: [
          { resource: "kanban", status: 404, code: "42P01", reason: "no such table" },
          { resource: "warehouseTransfer", status: 403, code: "42501", reason: "permission denied" }
        ]
      }
      const report = yield* compare(theirs, [kanban, warehouseTransfer])
      assert.deepStrictEqual(messages(report.differences), ["kanban list: status: expected 200, got 404"])
      assert.deepStrictEqual(report.leftOut, [
        { subject: "warehouseTransfer", status: 403, code: "42501", reason: "permission denied" }
      ])
      assert.include(ReportText.markdown(report), "Left out warehouseTransfer: status 403, 42501: permission denied")
    }).pipe(Effect.scoped)
  )

  it.live("continues after the resources of a run that was stopped", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "mfg-compare-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = join(folder, "drift.json.partial")
      const world = yield* OwnWorld.start(options)
      const asked: Array<string> = []
      const theirs = altered(world, (request, answer) => {
        asked.push(request.target)
        return answer
      })
      yield* compare(theirs, [holiday], { surveys: yield* Surveys.open(file, "run", Date.now()) })
      asked.length = 0
      const surveys = yield* Surveys.open(file, "run", Date.now())
      assert.strictEqual(surveys.resumed, 1)
      const report = yield* compare(theirs, [holiday, kanban], { surveys })
      assert.deepStrictEqual(messages(report.differences), [])
      assert.isFalse(asked.some((target) => target.startsWith("/holiday")))
      assert.isTrue(asked.some((target) => target.startsWith("/kanban")))
      assert.strictEqual((yield* Surveys.open(file, "another run", Date.now())).resumed, 0)
    }).pipe(Effect.scoped)
  )
})

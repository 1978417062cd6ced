import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Report } from "@mfgdata/client/contract/Report"
import * as Facts from "@mfgdata/domain/Facts"
import type * as Resource from "@mfgdata/domain/Resource"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { ComparedService } from "../../src/fidelity/ComparedService.ts"
import * as Learning from "../../src/fidelity/learn/Learning.ts"
import * as OwnWorld from "../../src/fidelity/OwnWorld.ts"
import * as Postgres from "../postgres/schema.ts"
import * as teachers from "./teachers.ts"
import { compare, options } from "./worlds.ts"

const { holiday, nonConformance, paymentTerm, warehouseTransfer } = Catalogue.byName
const resources = [holiday, nonConformance, paymentTerm, warehouseTransfer]

const messages = ({ differences }: Report) =>
  differences.map(
    ({ message, places, probe, subject }) => `${subject} ${probe}: ${message} ${JSON.stringify(places).slice(0, 200)}`
  )

const learn = (theirs: ComparedService<never>, taught: ReadonlyArray<Resource.Any>, world = options) =>
  Learning.run({ theirs, resources: taught, world, known: [], write: false, onProbe: () => undefined })

/** The facts as a file has them. */
const reread = (facts: Learning.Learned["facts"]): Facts.Facts =>
  Either.getOrThrow(Facts.parse("facts.json", Facts.print({ service: "the teacher", facts })))

describe("learning", () => {
  it.live(
    "a world on SQLite behaves as a gateway that differs in more than twenty ways",
    () =>
      Effect.gen(function* () {
        const theirs = teachers.gateway(yield* OwnWorld.start(options))
        const { after, before, facts } = yield* learn(theirs, resources)
        assert.isAbove(before.differences.length, 20)
        assert.isAbove(facts.length, 20)
        assert.deepStrictEqual(messages(after), [])
        assert.strictEqual(after.score.total.alike, after.score.total.probes)
        // The file of the facts is enough for another store.
        const store = yield* Postgres.fresh
        const known = reread(facts).facts
        const again = yield* Learning.run({
          theirs,
          resources: [holiday, nonConformance],
          world: { ...options, store },
          known,
          write: false,
          onProbe: () => undefined
        })
        assert.deepStrictEqual(messages(again.before), [])
        assert.deepStrictEqual(again.facts, known)
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "a world behaves as a service under the public rules, on PostgreSQL",
    () =>
      Effect.gen(function* () {
        const store = yield* Postgres.fresh
        const theirs = yield* OwnWorld.start({ ...options, store, rules: "public" })
        assert.isAbove((yield* compare(theirs, resources)).differences.length, 0)
        const { after, facts } = yield* learn(theirs, resources)
        assert.deepStrictEqual(messages(after), [])
        assert.includeMembers(
          facts.map(({ fact }) => fact),
          ["vocabulary"]
        )
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "a world behaves as a service in the shape of PostgREST",
    () =>
      Effect.gen(function* () {
        const theirs = teachers.postgrest(yield* OwnWorld.start(options))
        assert.isAbove((yield* compare(theirs, [holiday, paymentTerm])).differences.length, 0)
        const { after, facts } = yield* learn(theirs, [holiday, paymentTerm])
        assert.deepStrictEqual(messages(after), [])
        assert.deepStrictEqual(
          facts.filter(({ fact }) => fact === "style").map(({ fact }) => fact),
          ["style"]
        )
      }).pipe(Effect.scoped),
    300_000
  )
})

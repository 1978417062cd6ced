import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Report } from "@mfgdata/client/contract/Report"
import type * as Fact from "@mfgdata/domain/Fact"
import type * as Resource from "@mfgdata/domain/Resource"
import type { ComparedService } from "../../src/fidelity/ComparedService.ts"
import * as Postgres from "../postgres/schema.ts"
import * as teachers from "./teachers.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Learning from "../../src/fidelity/learn/Learning.ts"
import * as OwnWorld from "../../src/fidelity/OwnWorld.ts"
import { options } from "./worlds.ts"

const { holiday, nonConformance, paymentTerm, warehouseTransferLine } = Catalogue.byName

const messages = ({ differences }: Report) =>
  differences.map(
    ({ message, places, probe, subject }) => `${subject} ${probe}: ${message} ${JSON.stringify(places).slice(0, 200)}`
  )

const learn = (
  theirs: ComparedService<never>,
  resources: ReadonlyArray<Resource.Any>,
  world: OwnWorld.Options,
  known: ReadonlyArray<Fact.Fact> = []
) => Learning.run({ theirs, resources, world, known, write: true, onProbe: () => undefined })

describe("learning with writes", () => {
  it.live(
    "a world behaves as a gateway with other statuses, shapes and defaults, on both stores",
    () =>
      Effect.gen(function* () {
        const theirs = teachers.gateway(yield* OwnWorld.start(options))
        const { after, before, facts } = yield* learn(theirs, [holiday, paymentTerm], options)
        assert.isAbove(before.differences.length, 30)
        assert.deepStrictEqual(messages(after), [])
        const store = yield* Postgres.fresh
        const again = yield* learn(theirs, [holiday, paymentTerm], { ...options, store }, facts)
        assert.deepStrictEqual(messages(again.before), [])
      }).pipe(Effect.scoped),
    300_000
  )

  it.live(
    "a world behaves as a service under the public rules",
    () =>
      Effect.gen(function* () {
        const theirs = yield* OwnWorld.start({ ...options, rules: "public" })
        const resources = [holiday, paymentTerm, nonConformance, warehouseTransferLine]
        const { after, before, facts } = yield* learn(theirs, resources, options)
        assert.isAbove(before.differences.length, 10)
        assert.deepStrictEqual(
          new Set(facts.map(({ fact }) => fact)),
          new Set(["computed", "ownCompany", "reference", "unique", "vocabulary"])
        )
        const { differences } = after
        assert.deepStrictEqual(
          messages({ ...after, differences: differences.filter(({ verdict }) => verdict !== "cosmetic") }),
          []
        )
      }).pipe(Effect.scoped),
    300_000
  )
})

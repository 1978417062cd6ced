/**
 * Learns the facts of a service: compares, makes facts of the differences, starts a world that behaves so, and compares
 * again, until nothing is found or nothing more is learned.
 */
import type { Compared, Placed } from "@mfgdata/client/contract/Differences"
import type { Survey } from "@mfgdata/client/contract/Observation"
import type { Report } from "@mfgdata/client/contract/Report"
import type * as Fact from "@mfgdata/domain/Fact"
import * as FactConflict from "@mfgdata/domain/FactConflict"
import { place } from "@mfgdata/domain/Fact"
import * as Facts from "@mfgdata/domain/Facts"
import type { JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../ComparedService.ts"
import * as Compare from "../Compare.ts"
import * as OwnWorld from "../OwnWorld.ts"
import type * as Surveys from "../Surveys.ts"
import * as ErrorLesson from "./ErrorLesson.ts"
import * as Lesson from "./Lesson.ts"
import * as TaughtForms from "./TaughtForms.ts"

/** The most rounds: each corrects what the one before took for general. */
const mostRounds = 5

export interface Options<E> {
  readonly theirs: ComparedService<E>
  readonly resources: ReadonlyArray<Resource.Any>
  /** The world of our side; its facts are those that are known already. */
  readonly world: OwnWorld.Options
  readonly known: ReadonlyArray<Fact.Fact>
  /** Writes too, in rows of its own. */
  readonly write: boolean
  readonly onProbe: (probes: number, subject: string) => void
}

/** The facts of a service. */
export interface Learned {
  readonly facts: ReadonlyArray<Fact.Fact>
  /** The comparison with a world that behaves as the facts that were known before. */
  readonly before: Report
  /** The comparison with a world that behaves as all facts. */
  readonly after: Report
}

/** Keeps what was read of the service, so that later rounds read only what they ask for themselves. */
const memory = (): Surveys.Surveys => {
  const kept = new Map<string, Survey>()
  return {
    resumed: 0,
    finish: Effect.void,
    resume: (resource, survey) => {
      const known = kept.get(resource)
      return known === undefined
        ? Effect.tap(survey, (survey) => Effect.sync(() => kept.set(resource, survey)))
        : Effect.succeed(known)
    }
  }
}

/** The facts without those that contradict others. */
const consistent = (facts: ReadonlyArray<Fact.Fact>): ReadonlyArray<Fact.Fact> => {
  const refused = new Set(FactConflict.find(facts).map(({ fact }) => fact))
  return refused.size === 0 ? facts : facts.filter((fact) => !refused.has(place(fact)))
}

/** The facts with the style of PostgREST, if single rows and missing ones are answered with arrays. */
const styleOf = (
  facts: ReadonlyArray<Fact.Fact>,
  lesson: ReadonlyArray<Fact.Fact>
): ReadonlyArray<Fact.Fact> | undefined => {
  const arrays = lesson.filter(
    (fact) =>
      fact.fact === "shape" &&
      fact.shape === "array" &&
      (fact.request === "retrieve" || fact.request === "retrieveMissing")
  )
  const seen = arrays.reduce((sum, fact) => sum + fact.seen, 0)
  return new Set(arrays.map((fact) => ("request" in fact ? fact.request : ""))).size < 2
    ? undefined
    : Facts.merge(facts, [{ fact: "style", style: "postgrest", seen }])
}

interface Round {
  readonly report: Report
  readonly found: ReadonlyArray<Placed>
  readonly compared: ReadonlyArray<Compared>
}

type Refusals = ReadonlyMap<Placed, JsonObject | undefined>

const shownAt = ({ probe, subject }: Placed): string => `${subject} ${probe.name}`

/** The codes of errors in which a round found more new places than it removed: their bodies have no common form. */
const worsened = (
  before: Round,
  after: Round,
  refusedBefore: Refusals,
  refusedAfter: Refusals
): ReadonlySet<string> => {
  const placesOf = ({ found }: Round, refused: Refusals) => {
    const places = new Map<string, Set<string>>()
    for (const placed of found) {
      const code = refused.get(placed)?.["code"]
      if (typeof code === "string") places.set(code, (places.get(code) ?? new Set()).add(shownAt(placed)))
    }
    return places
  }
  const [old, now] = [placesOf(before, refusedBefore), placesOf(after, refusedAfter)]
  return new Set([...now].filter(([code, places]) => places.size > (old.get(code)?.size ?? 0)).map(([code]) => code))
}

const given = (facts: ReadonlyArray<Fact.Fact>): Pick<OwnWorld.Options, "facts"> => ({
  facts: { _tag: "Given", facts: { service: "the service", facts } }
})

/** Compares the service with a world that behaves as the facts describe. */
const compare = <E>(options: Options<E>, facts: ReadonlyArray<Fact.Fact>, surveys: Surveys.Surveys) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { onProbe, resources, theirs, world, write } = options
      const ours = yield* OwnWorld.start({ ...world, ...given(facts) })
      let details: Pick<Round, "compared" | "found"> = { found: [], compared: [] }
      const report = yield* Compare.run({
        ours,
        theirs,
        resources,
        declared: TaughtForms.make(facts, world.rules),
        surveys,
        write,
        onProbe,
        onFound: (found, compared) => void (details = { found, compared })
      })
      return { report, ...details }
    })
  )

/** Learns until a world behaves as the service, or as much as facts can describe. */
export const run = <E>(options: Options<E>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const surveys = memory()
      const plain = yield* OwnWorld.start({ ...options.world, facts: undefined })
      /** Our refusals without facts, whose codes the facts name. */
      const refusals = (found: ReadonlyArray<Placed>) =>
        Effect.map(
          Effect.forEach(
            found.filter(({ ours }) => ours !== undefined && Number(ours.aspects["status"]) >= 400),
            (placed) => {
              const { body: text = "", ...response } = placed.ours?.exchange.response ?? { status: 0, headers: {} }
              const own = ErrorLesson.refusalOf({ ...response, text })
              if (own !== undefined) return Effect.succeed([placed, own] as const)
              const { request } = placed.ours?.probe ?? placed.probe
              return Effect.map(plain.ask(request), (answer) => [placed, ErrorLesson.refusalOf(answer)] as const)
            },
            { concurrency: 4 }
          ),
          (pairs) => new Map<Placed, JsonObject | undefined>(pairs)
        )
      let facts = options.known
      const first = yield* compare(options, facts, surveys)
      let best = first
      const style = styleOf(
        facts,
        Lesson.make(first.found, first.compared, () => ({ code: "PGRST116" }), 0)
      )
      if (style !== undefined) {
        const styled = yield* compare(options, style, surveys)
        if (styled.found.length < first.found.length) {
          facts = style
          best = styled
        }
      }
      for (let round = 0; round < mostRounds && best.report.differences.length > 0; round++) {
        const refused = yield* refusals(best.found)
        const lesson = Lesson.make(best.found, best.compared, (placed) => refused.get(placed), round)
        const merged = consistent(Facts.merge(facts, lesson))
        if (JSON.stringify(merged) === JSON.stringify(facts)) break
        let next = yield* compare(options, merged, surveys)
        let learned = merged
        const worse = worsened(best, next, refused, yield* refusals(next.found))
        if (worse.size > 0) {
          const old = new Set(facts.map(place))
          learned = merged.filter((fact) => fact.fact !== "error" || !worse.has(fact.code) || old.has(place(fact)))
          next = yield* compare(options, learned, surveys)
        }
        // A later round may only take back what a general fact got wrong.
        if (round > 0 && next.found.length >= best.found.length) break
        facts = learned
        best = next
      }
      return { facts, before: first.report, after: best.report } satisfies Learned
    })
  )

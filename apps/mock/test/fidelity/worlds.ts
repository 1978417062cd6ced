/** Starts pairs of services for comparisons, one of which may alter its responses. */
import type * as Ask from "@mfgdata/client/contract/Ask"
import * as Comparison from "@mfgdata/client/contract/Comparison"
import type { Difference } from "@mfgdata/client/contract/Difference"
import type { Report } from "@mfgdata/client/contract/Report"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { ComparedService } from "../../src/fidelity/ComparedService.ts"
import * as Compare from "../../src/fidelity/Compare.ts"
import * as OwnWorld from "../../src/fidelity/OwnWorld.ts"
import * as Surveys from "../../src/fidelity/Surveys.ts"

export const options: OwnWorld.Options = {
  store: { _tag: "Sqlite", path: ":memory:", durable: false },
  rules: "contract",
  seed: { _tag: "Demo" },
  aggregates: "off"
}

/** A service that changes the responses of another. */
export const altered = <E>(
  service: ComparedService<E>,
  alter: (request: Ask.Request, answer: Ask.Answer) => Ask.Answer
): ComparedService<E> => ({
  ...service,
  name: "live",
  ask: (request) => Effect.map(service.ask(request), (answer) => alter(request, answer))
})

/** Changes each row of JSON bodies of successful requests. */
export const rows =
  (change: (row: JsonObject) => JsonObject) =>
  (request: Ask.Request, answer: Ask.Answer): Ask.Answer => {
    if (request.face !== "rows" || answer.status >= 300 || !/^\/[a-zA-Z]+/.test(request.target)) return answer
    if (!/json/.test(answer.headers["content-type"] ?? "") || answer.text === "") return answer
    const body: Json = JSON.parse(answer.text)
    const isRow = (value: Json): value is JsonObject =>
      typeof value === "object" && value !== null && !Array.isArray(value)
    const changed = Array.isArray(body)
      ? body.map((row: Json) => (isRow(row) ? change(row) : row))
      : isRow(body)
        ? change(body)
        : body
    return { ...answer, text: JSON.stringify(changed) }
  }

/** Compares a new world with another service. */
export const compare = <E>(
  theirs: ComparedService<E>,
  resources: ReadonlyArray<Resource.Any>,
  {
    ours = options,
    surveys = Surveys.none,
    write = false
  }: { readonly ours?: OwnWorld.Options; readonly surveys?: Surveys.Surveys; readonly write?: boolean } = {}
) =>
  Effect.gen(function* () {
    const own = yield* OwnWorld.start(ours)
    return yield* Compare.run({
      ours: own,
      theirs,
      resources,
      declared: Comparison.contract,
      surveys,
      write,
      onProbe: () => undefined
    })
  })

/** The differences of a class. */
export const ofClass = ({ differences }: Report, name: Difference["class"]): ReadonlyArray<Difference> =>
  differences.filter((difference) => difference.class === name)

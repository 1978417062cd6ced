/**
 * Loads the fault rules of the setting `--faults`: sets that come with the service, sets of files, and those that are
 * armed when the service starts.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fs from "node:fs/promises"
import type { FaultSource } from "../Settings.ts"
import * as FaultSet from "./FaultSet.ts"
import * as Reason from "../Reason.ts"

/** Fault rules that cannot be loaded. */
export class FaultsInvalid extends Data.TaggedError("FaultsInvalid")<{
  readonly source: string
  readonly reason: string
}> {
  override get message() {
    return `the fault rules ${this.source} cannot be loaded: ${this.reason}`
  }
}

type Rules = ReadonlyArray<AdminApi.FaultRule>

export interface LoadedFaults {
  readonly byHeader: boolean
  readonly setOf: (name: string) => Rules | undefined
  /** The names of all sets. */
  readonly names: ReadonlyArray<string>
  /** The rules that are armed when the service starts. */
  readonly armed: Rules
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(AdminApi.FaultFile), {
  errors: "all",
  onExcessProperty: "error"
})

const read = (path: string) =>
  Effect.tryPromise({
    try: () => fs.readFile(path, "utf8"),
    catch: (cause) => new FaultsInvalid({ source: path, reason: Reason.ofCause(cause) })
  }).pipe(
    Effect.flatMap((text) =>
      Effect.mapError(decode(text), (error) => new FaultsInvalid({ source: path, reason: Reason.ofParse(error) }))
    )
  )

/** Loads the rules. */
export const load = (source: FaultSource): Effect.Effect<LoadedFaults, FaultsInvalid> =>
  Effect.gen(function* () {
    const files = yield* Effect.forEach(source, (part) => (part._tag === "File" ? read(part.path) : Effect.succeed({})))
    const sets = new Map<string, Rules>([FaultSet.ready, ...files].flatMap((sets) => Object.entries(sets)))
    const names = [...sets.keys()]
    const armed = yield* Effect.forEach(source, (part) => {
      if (part._tag !== "Set") return Effect.succeed([])
      const rules = sets.get(part.name)
      return rules === undefined
        ? Effect.fail(new FaultsInvalid({ source: part.name, reason: `expected one of ${names.join(", ")}` }))
        : Effect.succeed(rules)
    })
    return {
      byHeader: source.some(({ _tag }) => _tag === "Header"),
      setOf: (name) => sets.get(name),
      names,
      armed: armed.flat()
    }
  })

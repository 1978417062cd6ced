/**
 * Reads the file of scrub rules.
 */
import * as DecodeError from "@mfgdata/domain/DecodeError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fs from "node:fs/promises"
import { ScrubRulesInvalid } from "./ColumnRules.ts"
import * as ScrubRule from "./ScrubRule.ts"
import * as Reason from "../../Reason.ts"

const decode = Schema.decodeUnknown(ScrubRule.RuleFile, { errors: "all", onExcessProperty: "error" })

/** Reads the rules in a file; `default` and `none` name the rules that need none. */
export const read = (file: string): Effect.Effect<ScrubRule.RuleFile, ScrubRulesInvalid> => {
  if (file === "default") return Effect.succeed(ScrubRule.defaults)
  if (file === "none") return Effect.succeed(ScrubRule.none)
  const failure = (problem: string) => new ScrubRulesInvalid({ file, problems: [problem] })
  return Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => fs.readFile(file, "utf8"),
      catch: (cause) => failure(Reason.ofCause(cause))
    })
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => failure(`expected JSON, such as {"rules":{"warehouseTransfer.notes":"text"}}`)
    })
    return yield* Effect.mapError(decode(json), ({ issue }) => failure(DecodeError.fromIssue("rules", issue).message))
  })
}

/**
 * Reads the header `Mfg-Fault` of a request: the name of a set of rules, or a rule in JSON. The same text counts its
 * matches from request to request.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { RowError } from "../rows/RowError.ts"
import * as ArmedRule from "./ArmedRule.ts"
import * as Reason from "../Reason.ts"

export const header = "mfg-fault"

/** The number of texts whose counts are kept. */
const most = 256

const decode = Schema.decodeUnknownEither(Schema.parseJson(AdminApi.FaultRule), { onExcessProperty: "error" })

type Rules = ReadonlyArray<ArmedRule.ArmedRule>

const malformed = (expected: string): RowError => ({ _tag: "FaultMalformed", expected })

/** The id of a rule in a response: its name, if a header can have it. */
const idOf = ({ name }: AdminApi.FaultRule): string =>
  name !== undefined && /^[\u0020-\u007e]+$/.test(name) ? name : "header"

/** The rules of header texts. */
export const make = (
  setOf: (name: string) => ReadonlyArray<AdminApi.FaultRule> | undefined,
  world: string
): ((text: string) => Either.Either<Rules, RowError>) => {
  const known = new Map<string, Rules>()

  const rulesOf = (text: string): Either.Either<ReadonlyArray<AdminApi.FaultRule>, RowError> => {
    if (!text.startsWith("{"))
      return Either.fromNullable(setOf(text), () => malformed("the name of a set, or a rule as JSON"))
    return Either.mapBoth(decode(text), {
      onRight: (rule) => [rule],
      onLeft: (error) => malformed(`a rule as JSON (${Reason.ofParse(error)})`)
    })
  }

  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return Either.right(found)
    return Either.map(rulesOf(text), (rules) => {
      const armed = rules.map((rule, position) =>
        ArmedRule.make(rule, { id: idOf(rule), position, world: `${world}/${text}` })
      )
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= most) known.delete(oldest)
      known.set(text, armed)
      return armed
    })
  }
}

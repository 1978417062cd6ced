/**
 * Declares flags that take an integer, and refuses other values by the flag's name and bounds.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import { UsageError } from "@mfgdata/domain/UsageError"
import * as Either from "effect/Either"

interface Declaration {
  readonly description: string
  /** The name of the value in the help. */
  readonly placeholder?: string
  readonly least?: number
  readonly most?: number
  readonly example: number
}

/** A flag that takes an integer within bounds. */
export const option = (
  name: string,
  { description, example, least = 0, most = Number.MAX_SAFE_INTEGER, placeholder = "number" }: Declaration
): Options.Options<number> => {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
  const read = (text: string): Either.Either<number, ValidationError.ValidationError> => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return Either.right(number)
    const error = new UsageError({
      problem: `Invalid value ${JSON.stringify(text)} for --${name}: expected an integer ${bounds}.`,
      example: `--${name} ${example}`
    })
    return Either.left(ValidationError.invalidValue(HelpDoc.p(error.message)))
  }
  return Options.text(name).pipe(
    Options.withPseudoName(placeholder),
    Options.withDescription(description),
    Options.mapEffect(read)
  )
}

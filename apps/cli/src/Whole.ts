/**
 * Flags that take a whole number, and say by their name what they take when they are given something else.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Options from "@effect/cli/Options"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Either from "effect/Either"
import { UsageError } from "./CliError.ts"

interface Taking {
  readonly description: string
  /** What stands for it in the help. */
  readonly placeholder?: string
  readonly least?: number
  readonly most?: number
  readonly example: number
}

/** A flag that takes a whole number within bounds. */
export const option = (
  name: string,
  { description, example, least = 0, most = Number.MAX_SAFE_INTEGER, placeholder = "number" }: Taking
): Options.Options<number> => {
  const bounds = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
  const read = (text: string): Either.Either<number, ValidationError.ValidationError> => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return Either.right(number)
    const misuse = new UsageError({
      problem: `--${name} takes a whole number ${bounds}, and ${text} is none.`,
      example: `--${name} ${example}`
    })
    return Either.left(ValidationError.invalidValue(HelpDoc.p(misuse.message)))
  }
  return Options.text(name).pipe(
    Options.withPseudoName(placeholder),
    Options.withDescription(description),
    Options.mapEffect(read)
  )
}

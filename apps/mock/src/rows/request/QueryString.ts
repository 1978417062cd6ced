/**
 * Parses the parameters of a URL's query or of a form. They are decoded once, and `+` is a blank. Bytes must be UTF-8; a
 * `%` that does not begin an escape is kept.
 */
import * as Either from "effect/Either"

export type Parameter = readonly [name: string, value: string]

const decode = (text: string): string | undefined => {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text
  if (!spaced.includes("%")) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    try {
      return decodeURIComponent(spaced.replace(/%(?![0-9A-Fa-f]{2})/g, "%25"))
    } catch {
      return undefined
    }
  }
}

/** The parameters, or the encoded name of a parameter that is not UTF-8. */
export const parse = (text: string): Either.Either<ReadonlyArray<Parameter>, string> => {
  const parameters: Array<Parameter> = []
  for (const part of text.split("&")) {
    const equals = part.indexOf("=")
    // A name without a value is ignored.
    if (equals < 0) continue
    const name = decode(part.slice(0, equals))
    const value = decode(part.slice(equals + 1))
    if (name === undefined || value === undefined) return Either.left(part.slice(0, equals))
    parameters.push([name, value])
  }
  return Either.right(parameters)
}

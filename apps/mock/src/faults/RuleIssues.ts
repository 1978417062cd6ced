/**
 * Describes the invalid properties of a fault rule.
 */
import * as ParseResult from "effect/ParseResult"

/** The text of the issues, such as `probability: Expected a number above 0 and up to 1, actual 2`. */
export const text = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => (path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`))
    .join("; ")

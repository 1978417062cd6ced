/**
 * Marks columns whose texts are addresses that the service sends requests to. Reads accept any text; writes check it.
 */
import * as Schema from "effect/Schema"
import { HttpAddressId } from "./internal/httpAddressMark.ts"
import { PredicateId } from "./internal/predicate.ts"
import { Text } from "./Text.ts"

/** The maximum length of an address. */
export const longest = 2048

/** The expected value in errors: a text without a {@link flaw}. */
export const description = `an http or https address without credentials, of at most ${longest} characters`

const parse = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** The reason why a text is not such an address, without the text; `undefined` for an address. */
export const flaw = (text: string): string | undefined => {
  if (text.length > longest) return `a text of ${text.length} characters`
  // The parser of URLs removes these, so that the stored text would not be the called address.
  if (/[\s\p{Cc}]/u.test(text)) return "a text with blanks"
  const url = parse(text)
  if (url === undefined) return "a text that is not an address"
  if (url.protocol !== "http:" && url.protocol !== "https:") return `an address that begins with ${url.protocol}`
  return url.username === "" && url.password === "" ? undefined : "an address with credentials"
}

/** Any text; writes check it with {@link flaw}. */
export class HttpAddress extends Text.annotations({
  [HttpAddressId]: true,
  jsonSchema: { type: "string", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:", maxLength: longest },
  arbitrary: () => (fc) => fc.webUrl()
}) {}

const accepts = (value: unknown): boolean => typeof value === "string" && flaw(value) === undefined

/** An address, which is checked when it is decoded. */
export class CheckedHttpAddress extends Text.pipe(
  Schema.filter(accepts, {
    [PredicateId]: accepts,
    description,
    jsonSchema: { type: "string", pattern: "^[Hh][Tt][Tt][Pp][Ss]?:", maxLength: longest },
    arbitrary: () => (fc) => fc.webUrl()
  })
) {}

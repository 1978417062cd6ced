/**
 * Checks the options of a service before its first request, and those of a call before its own: `OptionInvalid` names
 * the option.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ClientConfig from "../ClientConfig.ts"
import { OptionInvalid } from "../ClientError.ts"

const show = (value: unknown): string => (typeof value === "string" ? JSON.stringify(value) : String(value))

/** The error of an option with a value that is not a secret. */
export const invalid = (option: string, expected: string, value: unknown): OptionInvalid =>
  new OptionInvalid({ option, expected, got: show(value) })

/** The address without a slash at its end. */
export const parseAddress = (option: string, address: string): string => {
  const url = URL.canParse(address) ? ClientConfig.plain(new URL(address)) : undefined
  if (url === undefined) throw invalid(option, ClientConfig.expectedAddress, address)
  return url
}

/** The `Authorization` header of a key; `undefined` for a key that no header can hold. */
export const authorizationOf = (apiKey: Redacted.Redacted | string): string | undefined => {
  const key = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  return ClientConfig.isKey(key) ? `Bearer ${key}` : undefined
}

/** The `Authorization` header of a key; the error does not show the key. */
export const authorization = (option: string, apiKey: Redacted.Redacted | string): string => {
  const header = authorizationOf(apiKey)
  if (header === undefined) throw new OptionInvalid({ option, expected: ClientConfig.expectedKey, got: undefined })
  return header
}

/** A time longer than zero. */
export const duration = (option: string, input: Duration.DurationInput): Duration.Duration => {
  const read = Option.filter(Duration.decodeUnknown(input), (time) => Duration.greaterThan(time, Duration.zero))
  if (Option.isSome(read)) return read.value
  throw invalid(option, 'a time above zero, such as 500 or "2 seconds"', input)
}

/** A number of times. */
export const count = (option: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw invalid(option, "a whole number of at least 0", value)
}

/** The headers that the client sets itself, and the option that changes them. */
const reserved: { readonly [name: string]: string } = {
  accept: "no header accept: the client reads JSON",
  authorization: "the option apiKey in place of this header",
  "content-length": "no header content-length",
  "content-profile": "no header content-profile",
  "content-type": "no header content-type: the client sends JSON",
  host: "no header host",
  "idempotency-key": "the option idempotencyKey in place of this header",
  "if-match": "the option ifMatch in place of this header",
  range: "the option limit in place of this header"
}

/** Headers by their names in lower case. */
export const headers = (given: { readonly [name: string]: string } = {}): { readonly [name: string]: string } => {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const option = `headers.${name}`
    const lower = name.toLowerCase()
    const refused = (expected: string) => new OptionInvalid({ option, expected, got: undefined })
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower)) throw refused("the name of a header")
    if (Object.hasOwn(reserved, lower)) throw refused(reserved[lower] ?? "")
    if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw refused("a text without line breaks that a header can hold")
    read[lower] = value
  }
  return read
}

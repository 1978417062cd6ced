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
  throw invalid(option, "a time above zero", input)
}

/** A number of times. */
export const count = (option: string, value: number): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw invalid(option, "a whole number from 0", value)
}

/** The headers that the client sets itself, some of them from options. */
const reserved = /^(accept|authorization|content-(length|profile|type)|host|idempotency-key|if-match|range)$/

/** Headers by their names in lower case. */
export const headers = (given: { readonly [name: string]: string } = {}): { readonly [name: string]: string } => {
  const read: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    const isName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lower) && !reserved.test(lower)
    if (!isName || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      const expected = "a header of one line that the client does not set"
      throw new OptionInvalid({ option: `headers.${name}`, expected, got: undefined })
    }
    read[lower] = value
  }
  return read
}

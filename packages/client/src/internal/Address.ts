/**
 * What options say of the service and the caller, checked before anything is sent: a mistake in them is the program's.
 */
import * as Redacted from "effect/Redacted"
import * as ClientConfig from "../ClientConfig.ts"

/** An address without a slash at its end; throws where it is none, naming the option. */
export const parse = (option: string, address: string): string => {
  const url = URL.canParse(address) ? ClientConfig.plain(new URL(address)) : undefined
  if (url === undefined)
    throw new TypeError(`${option}: expected ${ClientConfig.expectedAddress}, got ${JSON.stringify(address)}`)
  return url
}

/** The header that says who calls; throws where the key cannot stand in one, without telling it. */
export const authorization = (option: string, apiKey: Redacted.Redacted | string) => {
  const key = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  if (!ClientConfig.isKey(key)) throw new TypeError(`${option}: expected ${ClientConfig.expectedKey}`)
  return { authorization: `Bearer ${key}` }
}

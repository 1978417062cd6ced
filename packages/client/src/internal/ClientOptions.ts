/**
 * Checks the options that name the service and the caller, before the first request: an invalid one is a defect.
 */
import * as Redacted from "effect/Redacted"
import * as ClientConfig from "../ClientConfig.ts"

/** The address without a slash at its end; throws for an invalid one, and names the option. */
export const parseAddress = (option: string, address: string): string => {
  const url = URL.canParse(address) ? ClientConfig.plain(new URL(address)) : undefined
  if (url === undefined)
    throw new TypeError(`${option}: expected ${ClientConfig.expectedAddress}, got ${JSON.stringify(address)}`)
  return url
}

/** The `Authorization` header; throws for a key that no header can hold, and names the option but not the key. */
export const authorization = (option: string, apiKey: Redacted.Redacted | string) => {
  const key = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  if (!ClientConfig.isKey(key)) throw new TypeError(`${option}: expected ${ClientConfig.expectedKey}`)
  return { authorization: `Bearer ${key}` }
}

/**
 * The company of a request, as far as the headers of earlier requests show it: a connection mostly carries requests with
 * the same key, so a comparison of texts replaces the digest of the key.
 */
import type { Duplex } from "node:stream"
import type * as Exchange from "../Exchange.ts"

export interface ConnectionCompany {
  /** The company of a request with headers, or undefined while its key is not known. */
  readonly find: (socket: Duplex, headers: Exchange.Headers) => string | undefined
}

interface Known {
  readonly authorization: string | undefined
  readonly apikey: string | undefined
  readonly companyId: string
}

/** `companyOf` finds the company of a key that was verified before. */
export const make = (companyOf: (headers: Exchange.Headers) => string | undefined): ConnectionCompany => {
  const connections = new WeakMap<Duplex, Known>()
  return {
    find: (socket, headers) => {
      const { apikey, authorization } = headers
      if (authorization === undefined && apikey === undefined) return undefined
      const known = connections.get(socket)
      if (known !== undefined && known.authorization === authorization && known.apikey === apikey)
        return known.companyId
      const companyId = companyOf(headers)
      if (companyId !== undefined) connections.set(socket, { authorization, apikey, companyId })
      return companyId
    }
  }
}

/**
 * Maps the address that a service listens on to the origin of requests to it.
 */
import type * as FileLock from "../../store/sqlite/FileLock.ts"

/** The loopback address for each address that means every interface. */
const loopback: { readonly [host: string]: string | undefined } = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The origin for a client on the same machine. */
export const fromAddress = ({ host, port }: FileLock.Address): string => {
  const name = loopback[host] ?? host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

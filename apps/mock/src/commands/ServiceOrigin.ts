/**
 * Where a service is reached, from where it listens.
 */
import type * as FileLock from "../store/sqlite/FileLock.ts"

/** Every address of a machine, and the one by which it reaches itself. */
const own: { readonly [host: string]: string | undefined } = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The origin that a client on the same machine asks. */
export const fromAddress = ({ host, port }: FileLock.Address): string => {
  const name = own[host] ?? host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

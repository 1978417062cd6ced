/**
 * Finds the proxy of an address in the environment, as curl does: `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`, unless
 * `NO_PROXY` lists the host. Addresses of this machine have no proxy, as in programs of Go.
 */
import * as Variable from "../Variable.ts"

/** A proxy, with the variable that names it. */
export interface Proxy {
  readonly variable: string
  readonly url: URL
}

/** A variable in lower case, or else in upper case. */
const read = (name: string): readonly [variable: string, value: string] | undefined => {
  for (const variable of [name, name.toUpperCase()]) {
    const value = Variable.read(variable)
    if (value !== undefined) return [variable, value]
  }
  return undefined
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host)

/** True when `NO_PROXY` lists a host, its domain, or either with the port. */
const isExcepted = ({ hostname, port, protocol }: URL): boolean => {
  const [, list] = read("no_proxy") ?? ["", ""]
  const actual = port === "" ? (protocol === "https:" ? "443" : "80") : port
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = "", only] = /^(.+?)(?::(\d+))?$/.exec(entry.toLowerCase().replace(/^\*?\./, "")) ?? []
    return name === "*" || ((only ?? actual) === actual && (hostname === name || hostname.endsWith(`.${name}`)))
  })
}

/** The proxy of an address. */
export const find = (address: string): Proxy | undefined => {
  const target = new URL(address)
  if (isLoopback(target.hostname) || isExcepted(target)) return undefined
  const found = read(`${target.protocol.slice(0, -1)}_proxy`) ?? read("all_proxy")
  if (found === undefined) return undefined
  const [variable, value] = found
  const text = value.includes("://") ? value : `http://${value}`
  return URL.canParse(text) ? { variable, url: new URL(text) } : undefined
}

/** A proxy without its password, for messages. */
export const show = ({ url, variable }: Proxy): string => `${url.protocol}//${url.host} (${variable})`

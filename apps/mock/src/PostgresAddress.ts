/**
 * Parses the address of a database on one or several PostgreSQL hosts, in the form of libpq.
 */

/** The values of `target_session_attrs`: the state of a server to which connections are opened. */
export type Target = "any" | "read-write" | "read-only" | "primary" | "standby" | "prefer-standby"

/** A host of an address. */
export interface Host {
  readonly name: string
  readonly port: number
  /** The path of a local socket. */
  readonly path?: string
}

/** The parts of an address: the text before the hosts, the hosts, and the text after them. */
const partsOf = (address: string) => {
  const [, scheme = "", authority = "", rest = ""] = /^(\w+:\/\/)([^/?#]*)(.*)$/s.exec(address) ?? []
  const end = authority.lastIndexOf("@") + 1
  return { before: scheme + authority.slice(0, end), hosts: authority.slice(end).split(","), rest }
}

const hostForm = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i

/** Reports whether each part of the list of hosts is one; an empty list selects the host of the environment. */
const isHosts = (hosts: ReadonlyArray<string>): boolean =>
  hosts.join() === "" || hosts.every((host) => Number(hostForm.exec(host)?.[2] ?? 0) < 65_536 && hostForm.test(host))

/** The address with its first host alone, as URLs have it. */
export const withFirstHost = (address: string): string => {
  const { before, hosts, rest } = partsOf(address)
  return `${before}${hosts[0]}${rest}`
}

/** The addresses of the hosts, each with one. */
export const single = (address: string): ReadonlyArray<string> => {
  const { before, hosts, rest } = partsOf(address)
  return hosts.map((host) => `${before}${host}${rest}`)
}

/** The variables of libpq for an address without hosts. */
export interface Environment {
  readonly PGHOST?: string
  readonly PGPORT?: string
}

/** The hosts of an address. */
export const hostsOf = (
  address: string,
  { PGHOST = "localhost", PGPORT = "5432" }: Environment
): ReadonlyArray<Host> => {
  const { hosts } = partsOf(address)
  const ports = PGPORT.split(",")
  const given = hosts.join() === "" ? PGHOST.split(",") : hosts
  return given.map((text, index) => {
    const fallback = Number(ports[index] ?? ports[0])
    if (text.startsWith("/")) return { name: text, port: fallback, path: `${text}/.s.PGSQL.${fallback}` }
    const [, name = text, port] = hostForm.exec(text) ?? []
    return { name: name.replaceAll(/[[\]]/g, ""), port: port === undefined ? fallback : Number(port) }
  })
}

export const nameOf = ({ name, path, port }: Host): string =>
  path ?? (name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`)

/** An address without the parameters of this program. */
export interface Parsed {
  readonly url: string
  readonly target: Target | undefined
  readonly max: string | undefined
}

/** Parses an address, or returns its problem. */
export const parse = (address: string, allowed: ReadonlyArray<Target>): Parsed | string => {
  const { before, hosts, rest } = partsOf(address)
  if (!isHosts(hosts)) return `${JSON.stringify(hosts.join())} is not a list of hosts such as a,b:5433`
  if (!URL.canParse(withFirstHost(address))) return "it is not a URL"
  const url = new URL(withFirstHost(address))
  const given = url.searchParams.get("target_session_attrs")
  const target = allowed.find((name) => name === given)
  if (given !== null && target === undefined) {
    return `target_session_attrs is ${JSON.stringify(given)}, and has to be one of ${allowed.join(", ")} here`
  }
  const max = url.searchParams.get("max") ?? undefined
  url.searchParams.delete("max")
  url.searchParams.delete("target_session_attrs")
  // Without hosts, the text before them has the form of a URL too.
  const [path = ""] = rest.split(/[?#]/, 1)
  return { url: `${before}${hosts.join()}${path}${url.search}`, target, max }
}

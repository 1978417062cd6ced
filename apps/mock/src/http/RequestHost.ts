/**
 * Checks the host of a request, so that a page of another site cannot reach a local service under a name of its own, and
 * decides whether published keys are accepted with the request.
 */
import * as Either from "effect/Either"
import type { IncomingMessage } from "node:http"
import * as net from "node:net"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"

export interface Options {
  /** The address that the service listens on. */
  readonly host: string
  /** Host names of the service besides those of this machine. */
  readonly allowedHosts: ReadonlyArray<string>
}

/** The part of a request that its host decides. */
interface Checked {
  /** Path and query. */
  readonly target: string
  readonly exposure: Exchange.Exposure | undefined
}

const loopback = new net.BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addAddress("::1", "ipv6")

/** Reports whether a name or an address without brackets means this machine alone. */
export const isLoopback = (name: string): boolean => {
  const family = net.isIP(name)
  if (family === 0) return name === "localhost" || name.endsWith(".localhost")
  // The list also finds IPv4 addresses that are written as IPv6.
  return loopback.check(name, family === 4 ? "ipv4" : "ipv6")
}

/** The host name of an authority, in lower case and without brackets; undefined if it is malformed. */
const nameOf = (authority: string): string | undefined => {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([\w.-]+?)\.?)(?::\d*)?$/.exec(authority.toLowerCase()) ?? []
  return address ?? name
}

const originName = (origin: string): string => {
  const { hostname, protocol } = URL.canParse(origin) ? new URL(origin) : { hostname: "", protocol: "" }
  return protocol === "http:" || protocol === "https:" ? hostname.replace(/^\[(.*)\]$/, "$1") : ""
}

/** The authority and the rest of a target in absolute form. */
const absolute = /^https?:\/\/([^/?#]*)(.*)$/i

type Verdict = Either.Either<string, RowError>

/** Checks requests to a service that listens on an address. */
export const make = ({ allowedHosts, host }: Options) => {
  const allowed = new Set(allowedHosts.map((name) => name.toLowerCase()))
  const isLocal = isLoopback(host)
  const isChecked = isLocal || allowed.size > 0

  const judge = (authority: string): Verdict => {
    const name = nameOf(authority)
    if (name === undefined) return Either.left({ _tag: "HostMalformed" })
    return !isChecked || net.isIP(name) !== 0 || isLoopback(name) || allowed.has(name)
      ? Either.right(name)
      : Either.left({ _tag: "HostForeign", host: name })
  }

  // Most requests of a connection, and of a service, have the same host.
  let last: { readonly authority: string; readonly verdict: Verdict; readonly isLoopback: boolean } | undefined
  const verdictOf = (authority: string) => {
    if (last?.authority === authority) return last
    const verdict = judge(authority)
    last = { authority, verdict, isLoopback: Either.isRight(verdict) && isLoopback(verdict.right) }
    return last
  }

  // Most requests to a local service have the same peer.
  let lastPeer = { address: "", isLoopback: false }
  const isPeerLoopback = (address: string): boolean => {
    if (lastPeer.address !== address) lastPeer = { address, isLoopback: isLoopback(address) }
    return lastPeer.isLoopback
  }

  const exposureOf = ({ headers, socket }: IncomingMessage, isLoopbackHost: boolean): Exchange.Exposure | undefined => {
    if (!isLocal) return "address"
    if (!isPeerLoopback(socket.remoteAddress ?? "")) return "peer"
    if (!isLoopbackHost) return "host"
    return headers.origin === undefined || isLoopback(originName(headers.origin)) ? undefined : "origin"
  }

  return (incoming: IncomingMessage): Either.Either<Checked, RowError> => {
    const { headers, httpVersion, url = "/" } = incoming
    if (headers.host === undefined && httpVersion === "1.1") return Either.left({ _tag: "HostMissing" })
    const [, authority = headers.host, rest = url] = url.startsWith("/") ? [] : (absolute.exec(url) ?? [])
    const target = rest.startsWith("/") || rest === "*" ? rest : `/${rest}`
    // Node joins repeated headers with a comma.
    if (headers.host?.includes(",") === true) return Either.left({ _tag: "HostMalformed" })
    if (authority === undefined) return Either.right({ target, exposure: exposureOf(incoming, false) })
    const { isLoopback, verdict } = verdictOf(authority)
    return Either.map(verdict, () => ({ target, exposure: exposureOf(incoming, isLoopback) }))
  }
}

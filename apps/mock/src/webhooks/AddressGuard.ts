/**
 * Refuses addresses that events must not be sent to. A host name is checked when the connection is opened, and the
 * connection uses exactly the checked address, so a name that resolves differently a moment later gains nothing.
 */
import * as dns from "node:dns"
import * as net from "node:net"
import * as os from "node:os"

/** The networks that deliveries reach besides the public one: none, loopback alone, or private networks too. */
export type Networks = "deny" | "loopback" | "allow"

export interface Permission {
  readonly networks: Networks
}

/** The reason why nothing is sent to an address; with `isBlocked` another setting would allow it. */
export interface Refusal {
  readonly reason: string
  readonly isBlocked: boolean
}

/** The error of a connection to a refused address. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused"
  readonly isBlocked: boolean

  constructor({ isBlocked, reason }: Refusal) {
    super(reason)
    this.isBlocked = isBlocked
  }
}

const blocks = (...subnets: ReadonlyArray<string>): net.BlockList => {
  const list = new net.BlockList()
  for (const subnet of subnets) {
    const [address = "", length] = subnet.split("/", 2)
    list.addSubnet(address, Number(length), address.includes(":") ? "ipv6" : "ipv4")
  }
  return list
}

// A connection to the unspecified address reaches this machine.
const loopback = blocks("127.0.0.0/8", "0.0.0.0/32", "::1/128", "::/128")

const privateNetworks = blocks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")

/** Unspecified, link-local (where clouds serve credentials), multicast, documentation and reserved addresses. */
const never = blocks(
  "0.0.0.0/8",
  "169.254.0.0/16",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "100::/64",
  "2001::/32",
  "2001:db8::/32",
  "2002::/16",
  "64:ff9b:1::/48",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8"
)

/** The addresses at which the large clouds serve credentials of the machine. No setting allows them. */
const metadata = blocks(
  "100.100.100.200/32",
  "168.63.129.16/32",
  "169.254.169.254/32",
  "169.254.170.2/32",
  "192.0.0.192/32",
  "fd00:ec2::254/128",
  "fd20:ce::254/128"
)

/** IPv6 addresses with an IPv4 address in their last 32 bits. */
const ipv4Carriers = blocks("64:ff9b::/96", "::/96")

const embeddedIpv4 = (address: string): string => {
  // The URL parser writes the last 32 bits as two groups.
  const [high = 0, low = 0] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .replace("::", ":0:")
    .split(":")
    .slice(-2)
    .map((group) => Number.parseInt(group || "0", 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

/** Reports whether an address belongs to an interface of this machine. */
const isOwn = (address: string): boolean =>
  Object.values(os.networkInterfaces()).some((all) => all?.some((one) => one.address === address))

const blocked = (reason: string, least: Networks): Refusal => ({
  reason: `${reason}: --private-networks ${least} lets webhooks reach it`,
  isBlocked: true
})

/** The refusal of an address; `undefined` when it is allowed. */
export const refusal = (address: string, permission: Permission): Refusal | undefined => {
  const { networks } = permission
  const family = net.isIPv6(address) ? "ipv6" : "ipv4"
  const is = (list: net.BlockList) => list.check(address, family)
  if (is(metadata)) return { reason: `${address} serves the credentials of a machine`, isBlocked: false }
  if (is(loopback)) return networks === "deny" ? blocked(`${address} is this machine`, "loopback") : undefined
  if (is(privateNetworks)) {
    return networks === "allow" ? undefined : blocked(`${address} belongs to a private network`, "allow")
  }
  if (is(never)) {
    if (!isOwn(address)) return { reason: `${address} is not the address of a receiver`, isBlocked: false }
    return networks === "allow" ? undefined : blocked(`${address} is this machine`, "allow")
  }
  return family === "ipv6" && is(ipv4Carriers) ? refusal(embeddedIpv4(address), permission) : undefined
}

/** The refusal of a host that is written as an address; `undefined` for a name, which is checked when it is resolved. */
export const ofHost = (hostname: string, permission: Permission): Refusal | undefined => {
  const address = hostname.replace(/^\[(.*)\]$/, "$1")
  return net.isIP(address) === 0 ? undefined : refusal(address, permission)
}

/** Resolves a host name to its allowed addresses. */
export const lookup =
  (permission: Permission, resolve: typeof dns.lookup = dns.lookup): net.LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first, ...others] = addresses.filter(({ address }) => refusal(address, permission) === undefined)
      if (first === undefined) {
        const refusals = addresses.flatMap(({ address }) => refusal(address, permission) ?? [])
        const reason = `${hostname}: ${refusals.map(({ reason }) => reason).join(", ")}`
        return callback(new AddressRefused({ reason, isBlocked: refusals.some(({ isBlocked }) => isBlocked) }), [])
      }
      return options.all === true ? callback(null, [first, ...others]) : callback(null, first.address, first.family)
    })
  }

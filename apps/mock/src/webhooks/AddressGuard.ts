/**
 * Which addresses events may be sent to. A name is judged by what it resolves to at the moment of the connection, and
 * the connection goes to just that address: a name that changes its mind in between gains nothing.
 */
import * as dns from "node:dns"
import * as net from "node:net"

export interface Permission {
  /** Whether addresses of private networks may be sent to. */
  readonly privateNetworks: boolean
}

/** An address that nothing is sent to. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused"
}

const blocks = (...subnets: ReadonlyArray<string>): net.BlockList => {
  const list = new net.BlockList()
  for (const subnet of subnets) {
    const [address = "", length] = subnet.split("/", 2)
    list.addSubnet(address, Number(length), address.includes(":") ? "ipv6" : "ipv4")
  }
  return list
}

const loopback = blocks("127.0.0.0/8", "::1/128")

const privateNetworks = blocks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7")

/** Addresses of no host, of the own link (where clouds keep credentials), of groups, and for later use. */
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
  "::/128",
  "100::/64",
  "2001::/32",
  "2001:db8::/32",
  "2002::/16",
  "64:ff9b:1::/48",
  "fe80::/10",
  "fec0::/10",
  "ff00::/8"
)

/** Addresses that carry one of the older kind in their last 32 bits. */
const carriers = blocks("64:ff9b::/96", "::/96")

const carried = (address: string): string => {
  // The parser of addresses writes the last 32 bits as two groups.
  const [high = 0, low = 0] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .replace("::", ":0:")
    .split(":")
    .slice(-2)
    .map((group) => Number.parseInt(group || "0", 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join(".")
}

/** Why nothing is sent to an address; nothing where it may be. */
export const refusal = (address: string, { privateNetworks: isPrivateAllowed }: Permission): string | undefined => {
  const family = net.isIPv6(address) ? "ipv6" : "ipv4"
  const is = (list: net.BlockList) => list.check(address, family)
  if (is(loopback)) return undefined
  if (is(never)) return `${address} is no address of a receiver`
  if (family === "ipv6" && is(carriers)) return refusal(carried(address), { privateNetworks: isPrivateAllowed })
  if (is(privateNetworks) && !isPrivateAllowed) return `${address} belongs to a private network`
  return undefined
}

/** Why nothing is sent to a host that is written as an address. A name has no refusal before it is resolved. */
export const ofHost = (hostname: string, permission: Permission): string | undefined => {
  const address = hostname.replace(/^\[(.*)\]$/, "$1")
  return net.isIP(address) === 0 ? undefined : refusal(address, permission)
}

/** Resolves a name for a connection to those of its addresses that may be sent to. */
export const lookup =
  (permission: Permission, resolve: typeof dns.lookup = dns.lookup): net.LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first, ...others] = addresses.filter(({ address }) => refusal(address, permission) === undefined)
      if (first === undefined) {
        const reasons = addresses.map(({ address }) => refusal(address, permission))
        return callback(new AddressRefused(`${hostname}: ${reasons.join(", ")}`), [])
      }
      return options.all === true ? callback(null, [first, ...others]) : callback(null, first.address, first.family)
    })
  }

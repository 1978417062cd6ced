import { assert, describe, it } from "@effect/vitest"
import type * as dns from "node:dns"
import type * as net from "node:net"
import * as os from "node:os"
import * as AddressGuard from "../../src/webhooks/AddressGuard.ts"

const denying = { networks: "deny" } as const
const strict = { networks: "loopback" } as const
const open = { networks: "allow" } as const

const never = [
  "0.1.2.3",
  "169.254.169.254",
  "169.254.170.2",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:168.63.129.16",
  "::ffff:6464:64c8",
  "64:ff9b::6464:64c8",
  "64:ff9b::168.63.129.16",
  "64:ff9b:1::a00:1",
  "2002:a83f:8110::1",
  "192.0.2.1",
  "198.18.0.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "fe80::1",
  "ff02::1",
  "2001:db8::1",
  "2002:0a00:0001::1",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "::a9fe:a9fe"
]
const networks = [
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "fc00::1",
  "fd12::1",
  "::ffff:10.0.0.1",
  "::ffff:c0a8:101",
  "64:ff9b::a00:1"
]
const allowed = [
  "127.0.0.1",
  "127.255.0.1",
  "::1",
  "::ffff:127.0.0.1",
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.128.0.1",
  "192.167.1.1",
  "2606:4700::1111",
  "64:ff9b::808:808",
  "11.0.0.1"
]

/** The addresses that a connection gets for a name that resolves to the given ones. */
const resolved = (addresses: ReadonlyArray<string>, options: dns.LookupOptions, permission = strict) => {
  const resolve = (_: string, __: unknown, callback: (...answer: ReadonlyArray<unknown>) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )
  let answer: ReadonlyArray<unknown> = []
  // The part of the resolver that a connection uses.
  const lookup: net.LookupFunction = AddressGuard.lookup(permission, resolve as unknown as typeof dns.lookup)
  lookup("receiver.test", options, (...given) => (answer = given))
  return answer
}

describe("AddressGuard", () => {
  it.each(never)("never sends to %s", (address) => {
    assert.isDefined(AddressGuard.refusal(address, strict))
    assert.isDefined(AddressGuard.refusal(address, open))
  })

  it.each(networks)("sends to %s of a private network where that is allowed", (address) => {
    for (const permission of [denying, strict]) {
      const { isBlocked, reason } = AddressGuard.refusal(address, permission) ?? {}
      assert.match(reason ?? "", /belongs to a private network: --private-networks allow lets/)
      assert.isTrue(isBlocked)
    }
    assert.isUndefined(AddressGuard.refusal(address, open))
  })

  it.each(["127.0.0.1", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1"])("sends to %s unless that is denied", (address) => {
    assert.deepStrictEqual(AddressGuard.refusal(address, denying)?.isBlocked, true)
    assert.include(AddressGuard.refusal(address, denying)?.reason, "--private-networks loopback")
    assert.isUndefined(AddressGuard.refusal(address, strict))
    assert.isUndefined(AddressGuard.refusal(address, open))
  })

  it("sends to every address of this machine where private networks are allowed", () => {
    const own = Object.values(os.networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
    assert.isNotEmpty(own)
    for (const address of own) assert.isUndefined(AddressGuard.refusal(address, open), address)
  })

  it.each(allowed)("sends to %s", (address) => assert.isUndefined(AddressGuard.refusal(address, strict)))

  it("checks a host that is an address, and leaves names to the connection", () => {
    assert.isDefined(AddressGuard.ofHost("10.0.0.1", strict))
    assert.isDefined(AddressGuard.ofHost("[::ffff:10.0.0.1]", strict))
    assert.isUndefined(AddressGuard.ofHost("[::1]", strict))
    assert.isUndefined(AddressGuard.ofHost("10.0.0.1.example.com", strict))
    // As the URL parser normalizes them.
    for (const written of ["http://0xa000001/", "http://167772161/", "http://012.1/"]) {
      assert.isDefined(AddressGuard.ofHost(new URL(written).hostname, strict), written)
    }
  })

  it("passes a connection only the allowed addresses of a name", () => {
    assert.deepStrictEqual(resolved(["10.0.0.1", "8.8.8.8"], { all: true }), [
      null,
      [{ address: "8.8.8.8", family: 4 }]
    ])
    assert.deepStrictEqual(resolved(["10.0.0.1", "8.8.8.8"], {}), [null, "8.8.8.8", 4])
    const [error] = resolved(["10.0.0.1", "169.254.169.254"], { all: true })
    assert.instanceOf(error, AddressGuard.AddressRefused)
    assert.include(
      String(error),
      "10.0.0.1 belongs to a private network: --private-networks allow lets webhooks reach it, 169.254.169.254 serves the credentials of a machine"
    )
  })
})

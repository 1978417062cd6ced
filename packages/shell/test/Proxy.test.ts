import { assert, describe, it } from "@effect/vitest"
import { afterEach } from "vitest"
import * as Proxy from "../src/network/Proxy.ts"

const kept = { ...process.env }
afterEach(() => void (process.env = { ...kept }))

/** The proxy of an address in an environment of some variables. */
const find = (address: string, env: Readonly<Record<string, string>>): string | undefined => {
  process.env = env
  const found = Proxy.find(address)
  return found && Proxy.show(found)
}

const proxy = "http://user:secret@proxy.test:3128"

describe("the proxy of an address", () => {
  it.each([
    ["https://a.test", { HTTPS_PROXY: proxy }, "http://proxy.test:3128 (HTTPS_PROXY)"],
    [
      "https://a.test",
      { https_proxy: proxy, HTTPS_PROXY: "http://other.test" },
      "http://proxy.test:3128 (https_proxy)"
    ],
    ["https://a.test", { HTTP_PROXY: proxy }, undefined],
    ["http://a.test", { HTTP_PROXY: "proxy.test:3128" }, "http://proxy.test:3128 (HTTP_PROXY)"],
    ["http://a.test", { ALL_PROXY: proxy }, "http://proxy.test:3128 (ALL_PROXY)"],
    ["http://a.test", { HTTP_PROXY: "" }, undefined],
    ["http://a.test", { HTTP_PROXY: "http://[" }, undefined]
  ] as const)("%s with %j", (address, env, expected) => {
    assert.strictEqual(find(address, env), expected)
  })

  it.each(["http://localhost:4010", "http://127.0.0.1:4010", "http://127.1.2.3", "http://[::1]:4010"])(
    "%s has none, because it is on this machine",
    (address) => {
      assert.isUndefined(find(address, { HTTP_PROXY: proxy }))
    }
  )

  it.each([
    ["a.example.com", true],
    ["example.com", true],
    [".example.com", true],
    ["*.example.com", true],
    ["other, EXAMPLE.com", true],
    ["example.com:8080", true],
    ["example.com:80", false],
    ["xample.com", false],
    ["*", true],
    ["", false]
  ])("NO_PROXY=%s lists http://a.example.com:8080: %s", (NO_PROXY, isListed) => {
    const found = find("http://a.example.com:8080", { HTTP_PROXY: proxy, NO_PROXY })
    assert.strictEqual(found === undefined, isListed)
  })
})

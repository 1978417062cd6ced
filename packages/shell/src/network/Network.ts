/**
 * The HTTP client of a program: through the proxies of the environment, and with the certificate authorities of `--ca`.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dispatcher, RequestInit } from "undici"
import * as Certificates from "./Certificates.ts"
import * as Proxy from "./Proxy.ts"
import * as Switches from "../Switches.ts"

interface TlsOptions {
  readonly ca?: Array<string>
}

/** The client of Node, which starts fastest. Its requests share connections. */
const direct = (tls: TlsOptions): Layer.Layer<HttpClient.HttpClient> =>
  Layer.provide(NodeHttpClient.layerWithoutAgent, NodeHttpClient.makeAgentLayer({ keepAlive: true, ...tls }))

const proxied = (tls: TlsOptions): Layer.Layer<HttpClient.HttpClient> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { Agent, ProxyAgent, fetch } = yield* Effect.promise(() => import("undici"))
      const waits = { headersTimeout: 0, bodyTimeout: 0, connect: tls }
      const plain = new Agent(waits)
      const agents = new Map<string, Dispatcher>([["", plain]])
      const agentOf = (address: string) => {
        const { href = "" } = Proxy.find(address)?.url ?? {}
        const known = agents.get(href)
        if (known !== undefined) return known
        // A proxy forwards http requests as they are: many refuse tunnels to ports other than 443.
        const made = new ProxyAgent({ ...waits, uri: href, proxyTunnel: false, requestTls: tls, proxyTls: tls })
        agents.set(href, made)
        return made
      }
      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.all([...agents.values()].map((agent) => agent.destroy())))
      )
      const send = (address: URL, init: RequestInit = {}) =>
        fetch(address, { ...init, redirect: "manual", dispatcher: agentOf(address.href) })
      // The client gives an address, and the types of undici differ from those of the platform.
      const layer = Layer.succeed(FetchHttpClient.Fetch, send as unknown as typeof globalThis.fetch)
      return Layer.provide(FetchHttpClient.layer, layer)
    })
  )

/** The client for some addresses. */
export const layer = (
  addresses: ReadonlyArray<string>
): Layer.Layer<HttpClient.HttpClient, Certificates.CertificatesUnusable> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const file = yield* Switches.valueOf(Certificates.flag)
      const tls = file === undefined ? {} : { ca: [...(yield* Certificates.authorities(file))] }
      return addresses.some((address) => Proxy.find(address) !== undefined) ? proxied(tls) : direct(tls)
    })
  )

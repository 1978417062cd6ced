/**
 * Runs a PostgreSQL server for tests and benchmarks: the one that `TEST_DATABASE_URL` names, otherwise one on a free
 * loopback port whose data are removed afterwards. A cluster is a server with others that replicate it.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"

export interface PostgresServer {
  /** The URL of a database, with a user that may create other databases. */
  readonly url: string
  /** Kills the server, starts it on the same data, and waits until it is ready. Has no effect on a given server. */
  readonly crash: () => Promise<void>
  /** Stops the server, if it was started here, and waits until it has ended. */
  readonly stop: () => Promise<void>
}

/** A server, the number 0, and its standbys. */
export interface PostgresCluster {
  readonly urls: ReadonlyArray<string>
  /** Kills the server with this number and its processes, as a loss of power would. */
  readonly kill: (number: number) => void
  /** Starts a killed server, and waits until it is ready. */
  readonly start: (number: number) => Promise<void>
  readonly stop: () => Promise<void>
}

// The file is next to src and dist, and is JavaScript because Node runs it without a build.
const keeper = fileURLToPath(new URL("../keeper.mjs", import.meta.url))

/** Starts the keeper of a number of servers, and waits until they are ready. */
const keep = async (count: number, durable: boolean) => {
  const args = [keeper, `--standbys=${count - 1}`, ...(durable ? ["--durable"] : [])]
  // In its own process group, so that on Ctrl-C the parent stops it in order.
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(process.execPath, args, {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"]
  })
  const exited = once(child, "exit")
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
  const waiting = new Map<number, (url: string) => void>()
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [number = "", url = ""] = line.split(" ")
    waiting.get(Number(number))?.(url)
  })
  const ready = async (number: number): Promise<string> => {
    const url = await Promise.race([
      new Promise<string>((resolve) => waiting.set(number, resolve)),
      exited.then(() => undefined)
    ])
    if (url === undefined) throw new Error(`PostgreSQL did not start: ${said.trim()}`)
    return url
  }
  const urls = await Promise.all(Array.from({ length: count }, (_, number) => ready(number)))
  return {
    urls,
    ready,
    command: (text: string) => void child.stdin.write(`${text}\n`),
    stop: async () => {
      child.stdin.end()
      await exited
    }
  }
}

/** Starts a server, unless one is given. A durable server keeps its commits through a crash. */
export const start = async (
  given = process.env["TEST_DATABASE_URL"],
  { durable = false }: { readonly durable?: boolean } = {}
): Promise<PostgresServer> => {
  const nothing = () => Promise.resolve()
  if (given !== undefined && given !== "") return { url: given, crash: nothing, stop: nothing }
  const { command, ready, stop, urls } = await keep(1, durable)
  const crash = async () => {
    const again = ready(0)
    command("crash 0")
    await again
  }
  return { url: urls[0] ?? "", crash, stop }
}

/** Starts a durable server and its standbys, which replicate it from its first start. */
export const cluster = async (standbys: number): Promise<PostgresCluster> => {
  const { command, ready, stop, urls } = await keep(1 + standbys, true)
  return {
    urls,
    stop,
    kill: (number) => command(`kill ${number}`),
    start: async (number) => {
      const again = ready(number)
      command(`start ${number}`)
      await again
    }
  }
}

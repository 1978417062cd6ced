/**
 * A service under observation: a virtual clock, one webhook of holidays, and another company that waits for cheap
 * requests.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import * as http from "node:http"
import * as HostileData from "../hostile/HostileData.ts"
import * as Sender from "../hostile/Sender.ts"
import * as Program from "../Program.ts"
import * as Tree from "../Tree.ts"
import * as WebhookReceivers from "../WebhookReceivers.ts"

const key = "mfg_endurance_company_key"
const adminKey = "mfg_endurance_administrator"

export interface Subject {
  readonly sender: Sender.Sender
  /** Sends a request with the key of its path, and returns the body of the response. */
  readonly ask: (method: string, target: string, body?: object, headers?: Sender.Sent["headers"]) => Promise<unknown>
  /** The values of the metrics by their series. */
  readonly metrics: () => Promise<ReadonlyMap<string, number>>
  /** The resident memory of the process. */
  readonly residentBytes: () => number
}

/** Answers 204 to every delivery. */
const receiver = Effect.suspend(() =>
  LocalServer.listen(
    http.createServer((request, response) => void request.resume().on("end", () => response.writeHead(204).end()))
  )
)

const serve = (bin: string, store: string) =>
  Program.start(
    [bin, "serve", "--port", "0", "--seed", "empty", "--clock", "virtual", "--private-networks", "loopback"].concat(
      "--store",
      store
    ),
    /Try:/,
    { env: { MFG_MOCK_API_KEY: key, MFG_MOCK_ADMIN_KEY: adminKey } }
  )

/** Creates a store with the other company. */
export const create = (bin: string, store: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Tree.make({})
    const first = yield* serve(bin, store)
    yield* first.end("SIGTERM")
    const { code, stderr } = yield* Program.node([bin, "seed", "--store", store, HostileData.seedFile(folder)])
    if (code !== 0) return yield* Effect.dieMessage(stderr)
  })

/** Serves a store until the scope ends. */
export const open = (bin: string, store: string): Effect.Effect<Subject, never, Scope.Scope> =>
  Effect.gen(function* () {
    const port = yield* receiver
    const { pid, said } = yield* serve(bin, store)
    const sender = Sender.open(/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "", 16)
    yield* Effect.addFinalizer(() => Effect.sync(sender.close))
    const ask: Subject["ask"] = (method, target, body, headers) => {
      const own = target.startsWith("/_mock") ? adminKey : key
      return sender.read({
        method,
        target,
        headers: { Authorization: `Bearer ${own}`, "Content-Type": "application/json", ...headers },
        body: body === undefined ? undefined : Buffer.from(JSON.stringify(body))
      })
    }
    yield* Effect.promise(() =>
      ask("POST", "/rest/webhook", WebhookReceivers.row("holiday", `http://127.0.0.1:${port}/`))
    )
    return {
      sender,
      ask,
      metrics: async () => {
        const text = await sender.text({
          method: "GET",
          target: "/metrics",
          headers: { Authorization: `Bearer ${adminKey}` }
        })
        return new Map(
          Array.from(text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm), ([, series = "", value]) => [series, Number(value)])
        )
      },
      residentBytes: () =>
        1024 * Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)
    }
  })

export const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

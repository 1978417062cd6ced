/**
 * Sends mixed traffic at half load: each worker rests as long as its last request took. The rows that it creates are
 * deleted again, so the number of rows is constant.
 */
import * as http from "node:http"

export const key = "mfg_soak_test_key"
export const adminKey = "mfg_soak_test_administrator"

export interface Traffic {
  readonly requests: () => number
  /** The bytes that the subscribers of the history have got. */
  readonly streamed: () => number
  readonly failures: ReadonlyArray<string>
  /** Sends traffic for a time, and returns after its last response. */
  readonly run: (millis: number) => Promise<void>
  /** Sends one request and returns the body of its successful response. */
  readonly send: (method: string, target: string, body?: object, headers?: http.OutgoingHttpHeaders) => Promise<string>
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

export const make = (origin: string, hasWorlds: boolean): Traffic => {
  // Connections end with each response, so that none is open between rounds.
  const failures: Array<string> = []
  let requests = 0
  let streamed = 0
  let number = 0

  const send: Traffic["send"] = (method, target, body, headers) =>
    new Promise((resolve, reject) => {
      requests += 1
      const own = target.startsWith("/_mock") ? adminKey : key
      const options = {
        agent: false,
        method,
        headers: { Authorization: `Bearer ${own}`, "Content-Type": "application/json", ...headers }
      }
      const request = http.request(new URL(target, origin), options, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () => {
          const { statusCode = 0 } = response
          const text = Buffer.concat(chunks).toString("utf8")
          if (statusCode < 300) resolve(text)
          else reject(new Error(`${method} ${target} got ${statusCode}: ${text.slice(0, 200)}`))
        })
      })
      request.on("error", reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })

  const rows = async () => {
    const id = JSON.parse(await send("POST", "/rest/holiday", { name: "soak", date: "2026-05-01", companyId: "demo" }))
      .id as string
    await send("PATCH", `/rest/holiday?id=eq.${id}`, { name: "soaked" })
    await send("GET", "/rest/holiday?order=name&limit=50")
    await send("DELETE", `/rest/holiday?id=eq.${id}`)
  }
  const exported = () => send("GET", "/rest/holiday?limit=1000", undefined, { Accept: "text/csv" })
  const world = async () => {
    const name = `soak-${(number += 1)}`
    const { key, restUrl } = JSON.parse(await send("POST", "/_mock/worlds", { name })) as {
      readonly key: string
      readonly restUrl: string
    }
    await send("GET", `${restUrl}/holiday?limit=5`, undefined, { Authorization: `Bearer ${key}` })
    await send("GET", `/_mock/worlds/${name}/export`)
    await send("DELETE", `/_mock/worlds/${name}`)
  }
  const follow = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${adminKey}`, Accept: "text/event-stream" }
      const request = http.get(`${origin}/_mock/history`, { agent: false, headers }, (response) => {
        response.on("data", (chunk: Buffer) => (streamed += chunk.length))
        response.on("error", () => resolve())
        setTimeout(() => {
          request.destroy()
          resolve()
        }, 300)
      })
      request.on("error", (error) => reject(error))
    })

  const kinds = [rows, rows, rows, exported, follow, ...(hasWorlds ? [world] : [])]

  const work = async (act: () => Promise<unknown>, until: number) => {
    while (performance.now() < until) {
      const begin = performance.now()
      await act().catch((error: unknown) => void failures.push(String(error)))
      await pause(performance.now() - begin)
    }
  }

  return {
    requests: () => requests,
    streamed: () => streamed,
    failures,
    run: async (millis) => {
      const until = performance.now() + millis
      await Promise.all(kinds.map((act) => work(act, until)))
    },
    send
  }
}

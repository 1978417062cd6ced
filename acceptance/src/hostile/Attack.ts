/**
 * Sends hostile requests over several connections, and finds out afterwards whether a repeated write happened once.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { Facts, HostileRequest } from "./HostileRequest.ts"
import type { Answer, Sender, Sent } from "./Sender.ts"
import * as Sockets from "./Sockets.ts"

/** The API key of the company that sends the requests. */
export const key = "mfg_hostile_company_key"

export interface Attack {
  /** Sends requests over a number of connections, which take them in turn, and passes each answer on. */
  readonly run: (
    connections: number,
    queue: ReadonlyArray<HostileRequest>,
    onAnswer: (request: HostileRequest, answer: Answer) => void
  ) => Promise<unknown>
  /** The repeated writes that did not happen once, as sentences. */
  readonly repeated: () => Promise<ReadonlyArray<string>>
}

const authorization = (sort: HostileRequest["key"]): Readonly<Record<string, string>> =>
  sort === "none" ? {} : { Authorization: `Bearer ${sort === "unknown" ? "mfg_unknown_key" : key}` }

/** The number of times that rows are requested before the company counts as locked out. */
const mostTries = 300

const bodiesOf = ({ body }: HostileRequest): ReadonlyArray<Buffer> => {
  const made = body?.() ?? []
  return (typeof made === "string" ? [made] : made).map((text) => Buffer.from(text))
}

export const make = (
  { origin, requests, sender }: { origin: string; requests: ReadonlyArray<HostileRequest>; sender: Sender },
  shared: Omit<Facts, "turn">
): Attack => {
  const bodies = new Map(requests.map((request) => [request, bodiesOf(request)]))
  const turns = new Map<HostileRequest, number>()
  const confirmed = new Set<HostileRequest>()

  const next = (request: HostileRequest): Sent => {
    const turn = turns.get(request) ?? 0
    turns.set(request, turn + 1)
    const { headers, isSlow, method = "GET", target, unread } = request
    const facts = { ...shared, turn }
    const choices = bodies.get(request) ?? []
    return {
      method,
      target: target(facts),
      headers: { ...authorization(request.key), ...headers?.(facts) },
      body: choices[turn % choices.length],
      isSlow,
      unread
    }
  }

  const send = async (request: HostileRequest): Promise<Answer> => {
    const sent = next(request)
    const close = request.sockets === undefined ? undefined : await Sockets.open(origin, request.sockets, sent)
    const answer = await sender.send(sent)
    close?.()
    if (answer.status >= 200 && answer.status < 300) confirmed.add(request)
    return answer
  }

  const count = async (target: string): Promise<number> => {
    const sent = { method: "GET", target: `${target}&select=id&limit=10000`, headers: authorization(undefined) }
    for (let tries = 1; ; tries++) {
      try {
        // A list of rows, as the request selects them.
        const rows = (await sender.read(sent)) as ReadonlyArray<object>
        return rows.length
      } catch (error) {
        // The earlier requests of the company are refused or answered within seconds.
        if (tries === mostTries) throw error
        await pause(100)
      }
    }
  }

  return {
    run: (connections, queue, onAnswer) => {
      const rest = queue[Symbol.iterator]()
      const work = async () => {
        for (const request of rest) {
          for (let time = 0; time < (request.times ?? 1); time++) onAnswer(request, await send(request))
        }
      }
      return Promise.all(Array.from({ length: connections }, work))
    },
    repeated: async () => {
      const wrong: Array<string> = []
      for (const request of turns.keys()) {
        if (request.creates === undefined) continue
        const { keys, rows, target } = request.creates
        const found = await count(target)
        const least = confirmed.has(request) ? rows : 0
        if (found % rows !== 0 || found > rows * keys || found < least)
          wrong.push(`${request.name} has created ${found} rows with ${keys} keys, each ${rows}`)
      }
      return wrong
    }
  }
}

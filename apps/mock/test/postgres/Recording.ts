/**
 * A proxy of PostgreSQL that records the statements of the simple protocol, each with the company that its transaction
 * names.
 */
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as net from "node:net"

export interface Recorded {
  readonly text: string
  /** Undefined for a transaction that names none, and empty for one of the service itself. */
  readonly companyId: string | undefined
}

/** The name of a company in the first message of a transaction. */
const companyOf = (text: string): string | undefined => {
  if (text.includes("SET LOCAL mfgdata.service = 'on'")) return ""
  const [, name] = /SET LOCAL mfgdata\.company = '((?:[^']|'')*)'/.exec(text) ?? []
  return name?.replaceAll("''", "'")
}

/** Splits what a client sends into messages, and passes the texts of simple queries on. */
const reader = (onQuery: (text: string) => void) => {
  let rest = Buffer.alloc(0)
  let waiting: Array<Buffer> = []
  let missing = 0
  let isStarted = false
  return (bytes: Buffer) => {
    waiting.push(bytes)
    missing -= bytes.length
    // A message of megabytes comes in many parts.
    if (missing > 0) return
    rest = Buffer.concat([rest, ...waiting])
    waiting = []
    for (;;) {
      // The first message has no type.
      const head = isStarted ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readUInt32BE(head)
      missing = length - rest.length
      if (missing > 0) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      if (isStarted && message.toString("latin1", 0, 1) === "Q") onQuery(message.toString("utf8", 5, length - 1))
      isStarted = true
    }
  }
}

/** Starts a proxy of a server, and returns the URL through it. */
export const proxy = (url: string, record: (recorded: Recorded) => void): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { hostname, port } = new URL(url)
    const server = net.createServer((near) => {
      const far = net.connect(Number(port), hostname)
      let companyId: string | undefined
      let isOpen = false
      const read = reader((text) => {
        if (text.startsWith("BEGIN")) {
          isOpen = true
          companyId = companyOf(text)
        } else if (text === "COMMIT" || text === "ROLLBACK") isOpen = false
        else record({ text, companyId: isOpen ? companyId : undefined })
      })
      for (const [socket, other] of [
        [near, far],
        [far, near]
      ] as const) {
        socket.on("error", () => undefined).on("close", () => other.destroy())
        socket.on("data", (bytes) => {
          if (socket === near) read(bytes)
          other.write(bytes)
        })
      }
    })
    const through = new URL(url)
    through.port = String(yield* LocalServer.listen(server))
    return through.href
  })

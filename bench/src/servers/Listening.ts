/**
 * The common part of the servers that the service is compared with: it listens, prints its address, and reports its
 * usage.
 */
import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** Responds to a request with its complete body. */
export type Answering = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void

const metrics = (): string => {
  const { system, user } = process.cpuUsage()
  const { rss } = process.memoryUsage()
  return `process_cpu_seconds_total ${(system + user) / 1e6}\nprocess_resident_memory_bytes ${rss}\n`
}

/** Sends JSON. */
export const send = (response: http.ServerResponse, status: number, body: string): void => {
  response
    .writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Content-Length": Buffer.byteLength(body) })
    .end(body)
}

/** Listens on a free port until the process gets a signal. */
export const listen = (answering: Answering): void => {
  const server = http.createServer((request, response) => {
    if (request.url === "/metrics") return void response.end(metrics())
    if (request.method === "GET") return answering(request, response, "")
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => answering(request, response, Buffer.concat(chunks).toString()))
  })
  server.listen(0, "127.0.0.1", () => {
    // The address of a server on a port is an object.
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}

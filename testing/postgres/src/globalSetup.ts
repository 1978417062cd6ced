/**
 * Starts one PostgreSQL server for a run of vitest, when the first test requests it: tests run in processes of their
 * own, so they request it over loopback.
 */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { TestProject } from "vitest/node"
import * as PostgresServer from "./PostgresServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The address that returns the URL of the run's PostgreSQL server. */
    readonly postgresServer: string
  }
}

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  let server: Promise<PostgresServer.PostgresServer> | undefined
  const desk = createServer((_request, response) => {
    server ??= PostgresServer.start()
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error))
    )
  })
  await once(desk.listen(0, "127.0.0.1"), "listening")
  // a TCP server that listens has an address of this form
  provide("postgresServer", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`)
  return async () => {
    desk.close()
    await server?.then(
      ({ stop }) => stop(),
      () => undefined
    )
  }
}

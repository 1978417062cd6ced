// The program of a rehearsal: imports every library, checks their types, and requests the rows of each resource.
export const program = `import * as HttpClient from "@effect/platform/HttpClient"
import { ClientConfig } from "@mfgdata/client"
import { Catalogue, type Resource, WarehouseTransfer } from "@mfgdata/domain"
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

export const config: Effect.Effect<ClientConfig.ClientConfig, unknown> = ClientConfig.config
export const update: Resource.Update<typeof WarehouseTransfer> = { status: "Draft", notes: null }
// @ts-expect-error an unknown column
export const wrong: Resource.Column<typeof WarehouseTransfer> = "nothing"

export const program = Effect.gen(function* () {
  const { apiKey, restUrl } = yield* Testing.World
  const client = yield* HttpClient.HttpClient
  const headers = { authorization: "Bearer " + Redacted.value(apiKey) }
  for (const { resource } of Catalogue.resources) {
    const { status } = yield* client.get(restUrl + "/" + resource, { headers })
    console.log(resource, status)
  }
})
Effect.runFork(Effect.provide(program, Testing.layer({ seed: { _tag: "Empty" } })))
`

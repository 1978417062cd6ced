/** Starts services on stores, and mirrors one into another. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Rows from "@mfgdata/client/Rows"
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type { JsonObject } from "@mfgdata/domain/Json"
import * as Query from "@mfgdata/domain/Query"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Mirror from "../../../src/fidelity/mirror/Mirror.ts"
import * as ScrubRule from "../../../src/fidelity/scrub/ScrubRule.ts"
import * as Source from "../../../src/fidelity/Source.ts"
import * as InProcessClient from "../../../src/http/InProcessClient.ts"
import * as NodeServer from "../../../src/http/NodeServer.ts"
import * as Instance from "../../../src/service/Instance.ts"
import * as Settings from "../../../src/Settings.ts"

const apiKey = "mfg_mirror_test_key"

export interface TestService {
  readonly client: HttpClient.HttpClient
  readonly rows: Rows.Service
  readonly address: Source.Address
  /** All rows of a resource, as they are listed. */
  readonly list: (resource: Resource.Any, query?: string) => Effect.Effect<ReadonlyArray<JsonObject>>
}

/** Addresses a service over a client; `face` is the path of its row interface. */
export const over = (client: HttpClient.HttpClient, face = "/rest"): Effect.Effect<TestService> =>
  Effect.gen(function* () {
    const restUrl = `http://source.test${face}`
    const rows = yield* Effect.provideService(Rows.make({ restUrl, apiKey }), HttpClient.HttpClient, client)
    return {
      client,
      rows,
      address: { name: "live", restUrl, baseUrl: "http://source.test/api/v1", apiKey: Redacted.make(apiKey) },
      list: (resource, query = "limit=1000") => Effect.orDie(rows.list(resource, Query.fromText(query)))
    }
  })

/** Serves a store until the scope ends. */
export const serve = (
  store: Settings.StoreAddress,
  { face, ...settings }: Partial<Settings.Settings> & { readonly face?: string } = {}
) =>
  Effect.gen(function* () {
    const { service } = yield* Instance.make({
      settings: { ...Settings.defaults, apiKey, store, ...settings },
      write: () => undefined
    })
    return yield* over(
      InProcessClient.client(service, { ...NodeServer.limits, bodyBytes: Settings.defaults.maxBody }),
      face
    )
  })

/** The options of a mirror that most tests leave out. */
interface Options extends Partial<Omit<Mirror.Options, "source" | "stateFile">> {
  readonly resources?: ReadonlyArray<Resource.Any>
  readonly storeRules?: Settings.Settings["rules"]
}

/** Mirrors a service into a store that nothing else has open. */
export const mirror = (
  { address, client }: TestService,
  store: Settings.StoreAddress,
  stateFile: string,
  { resources, storeRules = "contract", ...options }: Options = {}
) =>
  Effect.gen(function* () {
    const source = yield* Source.make(address, resources === undefined ? {} : { resources }).pipe(
      Effect.provideService(HttpClient.HttpClient, client)
    )
    const mirrored: Mirror.Options = {
      source,
      where: new Map(),
      limit: undefined,
      rules: ScrubRule.none,
      rulesName: "none",
      key: undefined,
      stateFile,
      prune: false,
      concurrency: 4,
      progress: () => Effect.void,
      ...options
    }
    const prepared = yield* Mirror.prepare(mirrored)
    return yield* Effect.scoped(
      Effect.flatMap(Instance.open({ store, rules: storeRules }), (world) => Mirror.run(mirrored, prepared, world))
    )
  })

/** The outcome of a resource. */
export const outcomeOf = ({ outcomes }: Effect.Effect.Success<ReturnType<typeof mirror>>, name: Catalogue.Name) =>
  outcomes.find(({ resource }) => resource === name)

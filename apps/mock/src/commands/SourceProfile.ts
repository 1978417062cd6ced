/**
 * Finds the service that a flag names: a profile of `mfg`, or `environment` for the variables of the environment.
 */
import * as Profile from "@mfgdata/shell/profile/Profile"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Network from "@mfgdata/shell/network/Network"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import type * as Source from "../fidelity/Source.ts"

/** The name that means `MFG_REST_URL`, `MFG_BASE_URL` and `MFG_API_KEY`, unless a profile has it. */
const environment = "environment"

/** The client for a service, through the proxies of the environment; its connections last as long as the process. */
const client = (addresses: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const built = yield* Layer.buildWithScope(Network.layer(addresses), yield* Scope.make())
    return Context.get(built, HttpClient.HttpClient)
  })

/** The address and key of a profile. */
export const find = (name: string) =>
  Profile.choose(Option.some(name)).pipe(
    Effect.catchTag("ProfileMissing", (missing) =>
      name === environment
        ? Effect.filterOrFail(
            Profile.choose(Option.none()),
            (chosen) => chosen.name === environment,
            () => missing
          )
        : Effect.fail(missing)
    ),
    Effect.flatMap(({ profile: { apiKey, baseUrl, restUrl } }) =>
      Effect.map(client([restUrl, baseUrl]), (client): Source.Address => ({ name, restUrl, baseUrl, apiKey, client }))
    )
  )

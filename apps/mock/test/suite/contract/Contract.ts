/** The generated suites: from the contract's document alone, and from the known public rules. */
import { describe, layer } from "@effect/vitest"
import * as Service from "../Service.ts"
import * as Lists from "./Lists.ts"
import * as MediaTypes from "./MediaTypes.ts"
import * as OpenPoints from "./OpenPoints.ts"
import * as PublicRules from "./PublicRules.ts"
import * as Refusals from "./Refusals.ts"
import * as RoundTrips from "./RoundTrips.ts"

/** Registers the suites for a kind of store. */
export const suite = (name: string, fresh: Service.Fresh): void => {
  describe(`the contract ${name}`, () => {
    layer(Service.layer(fresh))("values", RoundTrips.suite)
    layer(Service.layer(fresh))("refusals", Refusals.suite)
    layer(Service.layer(fresh))("open points", OpenPoints.suite)
    layer(Service.layer(fresh))("lists", Lists.suite)
    layer(Service.layer(fresh))("media types", MediaTypes.suite)
    layer(Service.layer(fresh, { rules: "public" }))("the public rules", PublicRules.suite)
  })
}

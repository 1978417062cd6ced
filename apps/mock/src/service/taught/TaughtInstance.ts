/**
 * Makes the parts of an instance that facts change: its resources and documents, its store, and its service.
 */
import type * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Facts } from "@mfgdata/domain/Facts"
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TaughtCatalogue from "../../facts/TaughtCatalogue.ts"
import * as TaughtService from "../../facts/TaughtService.ts"
import * as TaughtStore from "../../facts/TaughtStore.ts"
import type { Store, StoreUnavailable } from "../../store/Store.ts"
import type { RulesViolated } from "../../store/OpenError.ts"
import * as SyncEffect from "../../world/SyncEffect.ts"
import type { World } from "../../world/World.ts"
import type { Admission } from "../Admission.ts"
import * as Documents from "../openapi/Documents.ts"
import type { Service } from "../Service.ts"

export interface TaughtInstance {
  readonly catalogue: (rules: RuleSet) => Catalogue.Resources
  readonly documents: Documents.Handlers
  /** The world with a store that follows the facts, also after an administrator has replaced its content. */
  readonly teach: (world: World["Type"]) => Effect.Effect<World["Type"], RulesViolated | StoreUnavailable>
  readonly wrap: (service: Service, world: World["Type"]) => Service
}

/** The handlers of the service with requests and responses as the facts describe. */
const wrap = (service: Service, { toRequest, toResponse }: TaughtService.TaughtService): Service => ({
  ...service,
  handle: (request) =>
    SyncEffect.andThen(service.handle(toRequest(request)), (exit) =>
      Exit.isFailure(exit) ? exit : Exit.succeed(toResponse(request, exit.value))
    ),
  admit: (request) =>
    SyncEffect.andThen(service.admit(request), (exit): Exit.Exit<Admission> => {
      if (Exit.isFailure(exit) || exit.value._tag !== "Refused") return exit
      return Exit.succeed({ _tag: "Refused", response: toResponse(request, exit.value.response) })
    }),
  refuse: (request, error) => toResponse(request, service.refuse(request, error))
})

export const make = ({ facts }: Facts): TaughtInstance => {
  const catalogues = {
    contract: TaughtCatalogue.make(facts, "contract"),
    public: TaughtCatalogue.make(facts, "public")
  }
  return {
    catalogue: (rules) => catalogues[rules],
    documents: Documents.make((rules) => ({ resources: catalogues[rules].resources, facts })),
    teach: (world) => {
      const { store } = world
      const teach = Effect.suspend(() => TaughtStore.teach(store, catalogues[world.rules()]))
      const taught: Store["Type"] = {
        ...store,
        switchRules: (rules) => store.switchRules(rules, TaughtStore.overlay(catalogues[rules])),
        restore: (file) => Effect.zipRight(Effect.zipRight(store.restore(file), world.refresh), teach)
      }
      return Effect.as(teach, { ...world, store: taught })
    },
    wrap: (service, world) => wrap(service, TaughtService.make(facts, catalogues[world.rules()]))
  }
}

/**
 * The environment of one running service: its store, clock, id generator and known companies.
 */
import type { RuleSet } from "@mfgdata/domain/ResourceRules"
import { CompanyId, UserId } from "@mfgdata/domain/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { Store, type StoreUnavailable } from "../store/Store.ts"
import type { Vault } from "../store/Vault.ts"
import * as IdGenerator from "./IdGenerator.ts"

/** A user within a company. */
export interface Member {
  readonly companyId: CompanyId
  readonly userId: UserId
}

export class World extends Context.Tag("@mfgdata/mock/World")<
  World,
  {
    readonly store: Store["Type"]
    /** Encrypts the secrets of the store, if a key is set. */
    readonly vault?: Vault | undefined
    /** Milliseconds since 1970. */
    readonly now: () => number
    readonly newId: () => string
    readonly rules: () => RuleSet
    readonly knowsCompany: (id: string) => boolean
    /** The default owner of a new key: the first user of the first company, by id. */
    readonly home: () => Member | undefined
    /** Reloads the companies and rules after the store was seeded or replaced. */
    readonly refresh: Effect.Effect<void, StoreUnavailable>
  }
>() {}

export interface Options {
  /** The seed that makes ids reproducible. */
  readonly idSeed?: number | undefined
  readonly vault?: Vault | undefined
}

const companies = { text: `SELECT "id" FROM "_company"`, parameters: [] }
const firstMember = {
  text: `SELECT "companyId", "userId" FROM "_companyUser" ORDER BY "companyId", "userId" LIMIT 1`,
  parameters: []
}

/** A world on the store and clock of the layer's environment. */
export const layer = ({ idSeed, vault }: Options = {}): Layer.Layer<World, StoreUnavailable, Store> =>
  Layer.scoped(
    World,
    Effect.gen(function* () {
      const store = yield* Store
      const clock = yield* Effect.clock
      const now = () => clock.unsafeCurrentTimeMillis()
      let known: ReadonlySet<unknown> = new Set()
      let home: Member | undefined
      let rules: RuleSet = "contract"
      const refresh = Effect.gen(function* () {
        known = new Set((yield* store.read(companies)).map(([id]) => id))
        home = (yield* store.read(firstMember)).map(([companyId, userId]) => ({
          companyId: CompanyId.make(String(companyId)),
          userId: UserId.make(String(userId))
        }))[0]
        rules = yield* store.ruleSet
      })
      yield* refresh
      const fork = Runtime.runFork(yield* Effect.runtime())
      // A failed reload is repeated at the next notification.
      const unwatch = store.subscribeToInvalidations(
        (invalidation) => invalidation === "world" && fork(Effect.ignore(refresh))
      )
      yield* Effect.addFinalizer(() => Effect.sync(unwatch))
      return {
        store,
        vault,
        now,
        newId: IdGenerator.make(now, idSeed),
        rules: () => rules,
        knowsCompany: (id) => known.has(id),
        home: () => home,
        refresh
      }
    })
  )

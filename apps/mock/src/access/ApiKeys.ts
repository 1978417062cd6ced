/**
 * Issues, verifies, rolls and revokes API keys. Keys are stored as digests and verified from memory.
 */
import type { ApiKeyRecord } from "@mfgdata/client/AdminApi"
import * as Key from "@mfgdata/domain/ApiKey"
import type { CompanyId, UserId } from "@mfgdata/domain/Ids"
import type * as Scope from "@mfgdata/domain/Scope"
import * as Timestamp from "@mfgdata/domain/Timestamp"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import type { Scope as Lifetime } from "effect/Scope"
import { randomBytes } from "node:crypto"
import type { Change, Rows, Step } from "../sql/Change.ts"
import { type Fragment, identifier, join, render, sql } from "../sql/Statement.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Member, World } from "../world/World.ts"
import * as ApiKey from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import * as KeyCache from "./KeyCache.ts"

/** No key, or none that is in use; one whose time is over. */
type Denial = { readonly _tag: "KeyMissing" } | { readonly _tag: "KeyInvalid" } | { readonly _tag: "KeyExpired" }

/** There is no such key, or it was revoked. */
export class ApiKeyMissing extends Data.TaggedError("ApiKeyMissing")<{ readonly id: string }> {
  override get message() {
    return `there is no key ${JSON.stringify(this.id)} in use`
  }
}

/** The user does not belong to the company. */
export class MemberMissing extends Data.TaggedError("MemberMissing")<{
  readonly companyId: string
  readonly userId: string
}> {
  override get message() {
    return `there is no user ${JSON.stringify(this.userId)} in a company ${JSON.stringify(this.companyId)}`
  }
}

/** A new key, which is not shown again, and what is kept of it. */
export interface Issued {
  readonly key: Redacted.Redacted<Key.ApiKey>
  readonly record: ApiKeyRecord
}

export interface NewKey {
  readonly name: string
  readonly companyId: CompanyId
  readonly userId: UserId
  readonly scopes: ReadonlyArray<Scope.Scope>
  readonly expiresAt: Timestamp.Timestamp | null
}

export interface ApiKeys {
  /** Who calls by a key; an `Exit` when memory knows. */
  readonly verify: (key: string | undefined) => Effect.Effect<Caller, Denial | StoreUnavailable>
  /** Lets a key of any form in, for as long as the process lives. */
  readonly install: (key: string, member: Member) => void
  readonly create: (key: NewKey) => Effect.Effect<Issued, MemberMissing | StoreUnavailable>
  /** All keys, the newest first. */
  readonly list: Effect.Effect<ReadonlyArray<ApiKeyRecord>, StoreUnavailable>
  readonly revoke: (id: string) => Effect.Effect<ApiKeyRecord, ApiKeyMissing | StoreUnavailable>
  /** A new key like another, which ends after `overlapMillis`. */
  readonly roll: (id: string, overlapMillis: number) => Effect.Effect<Issued, ApiKeyMissing | StoreUnavailable>
  /** Asks the store again, which was replaced. */
  readonly forget: () => void
  /** How often the store was asked about a key. */
  readonly lookups: () => number
}

const denied = (_tag: Denial["_tag"]): Exit.Exit<never, Denial> => Exit.fail({ _tag })
const missing = denied("KeyMissing")
const invalid = denied("KeyInvalid")
const expired = denied("KeyExpired")

/** What is remembered of a key: who calls by it, and until when. */
interface Verdict {
  readonly caller: Exit.Exit<Caller, Denial>
  readonly keyId: string | undefined
  readonly untilMillis: number
}

const unknown: Verdict = { caller: invalid, keyId: undefined, untilMillis: Infinity }

const fromRecord = ({ companyId, expiresAt, id, revokedAt, scopes, userId }: ApiKeyRecord): Verdict =>
  revokedAt !== null
    ? unknown
    : {
        caller: Exit.succeed({ keyId: id, companyId, userId, scopes }),
        keyId: id,
        untilMillis: expiresAt === null ? Infinity : Timestamp.toDateTime(expiresAt).epochMillis
      }

const draw = () => {
  const key = Key.fromRandom(randomBytes(32))
  return {
    key: Redacted.make(key),
    digest: KeyCache.digest(key),
    preview: ApiKey.preview(key)
  }
}

const written = ["id", "companyId", "userId", "name", "digest", "preview", "scopes", "createdAt", "expiresAt"]
const insertion = sql`INSERT INTO "_apiKey" (${join(written.map(identifier), ", ")})`

const inUse = (id: string): Fragment => sql`"id" = ${id} AND "revokedAt" IS NULL`

/** How often last uses are written down: by a use and not by a timer, so that an idle world is still. */
const writeEveryMillis = 60_000

/** The keys of a world. What was not written down by then is when the scope ends. */
export const make = ({ newId, now, store }: World["Type"]): Effect.Effect<ApiKeys, never, Lifetime> =>
  Effect.gen(function* () {
    const cache = KeyCache.make<Verdict>(() => performance.now())
    const uses = new Map<string, number>()
    const fork = Runtime.runFork(yield* Effect.runtime())
    let lookups = 0
    let due = now() + writeEveryMillis

    const judge = ({ caller, keyId, untilMillis }: Verdict): Exit.Exit<Caller, Denial> => {
      if (keyId === undefined) return caller
      const millis = now()
      if (millis >= untilMillis) return expired
      uses.set(keyId, millis)
      if (millis >= due) {
        due = millis + writeEveryMillis
        fork(writeOrLose)
      }
      return caller
    }

    const read = (fragment: Fragment) => store.read(render(fragment, store.dialect))
    const run = (fragment: Fragment): Step => ({ _tag: "Run", statement: render(fragment, store.dialect) })
    // No statement here breaks a constraint, whatever a caller sends.
    const apply = <A, E>(change: Change<A, E>) => store.change(change).pipe(Effect.catchTag("Refused", Effect.die))

    /** Statements of which the first answers a key's record, or nothing when there is no such key. */
    const change = <E>(absent: () => E, ...fragments: ReadonlyArray<Fragment>) =>
      apply({
        steps: fragments.map(run),
        settle: ([answered]) => {
          const row = answered?.[0]
          return row === undefined ? Either.left(absent()) : Either.right(ApiKey.fromRow(row))
        }
      })

    const look = (digest: string): Effect.Effect<Caller, Denial | StoreUnavailable> => {
      lookups += 1
      const learn = ([row]: Rows) => {
        const verdict = row === undefined ? unknown : fromRecord(ApiKey.fromRow(row))
        cache.set(digest, verdict)
        return judge(verdict)
      }
      return SyncEffect.andThen(
        read(sql`SELECT ${ApiKey.columns} FROM "_apiKey" WHERE "digest" = ${digest}`),
        Exit.flatMap(learn)
      )
    }

    const write = Effect.suspend(() => {
      const steps = Array.from(uses, ([id, millis]) =>
        run(sql`UPDATE "_apiKey" SET "lastUsedAt" = ${ApiKey.toMicros(millis)} WHERE "id" = ${id}`)
      )
      uses.clear()
      return steps.length === 0 ? Effect.void : apply({ steps, settle: () => Either.right(undefined) })
    })
    const writeOrLose = Effect.ignore(write)
    const unwatch = store.watch((news) => news === "keys" && cache.clear())
    yield* Effect.addFinalizer(() => Effect.sync(unwatch))
    yield* Effect.addFinalizer(() => writeOrLose)

    /** What ends a key is known here as soon as it is done, also when whoever asked for it has left. */
    const ending = <A, E>(effect: Effect.Effect<A, E>) => Effect.uninterruptible(Effect.tap(effect, cache.clear))

    return {
      verify: (key) => {
        if (key === undefined) return missing
        const digest = KeyCache.digest(key)
        const verdict = cache.get(digest)
        if (verdict !== undefined) return judge(verdict)
        return Either.isLeft(Key.check(key)) ? invalid : look(digest)
      },
      install: (key, { companyId, userId }) => {
        const digest = KeyCache.digest(key)
        const keyId = `installed ${digest.slice(0, 16)}`
        cache.pin(digest, {
          caller: Exit.succeed({ keyId, companyId, userId, scopes: ["*"] }),
          keyId: undefined,
          untilMillis: Infinity
        })
      },
      create: ({ companyId, expiresAt, name, scopes, userId }) =>
        Effect.suspend(() => {
          const { digest, key, preview } = draw()
          const end = expiresAt === null ? null : Number(Timestamp.toMicros(expiresAt))
          const created = ApiKey.toMicros(now())
          return change(
            () => new MemberMissing({ companyId, userId }),
            sql`${insertion}
              SELECT ${newId()}, "companyId", "userId", ${name}, ${digest}, ${preview}, ${JSON.stringify(scopes)},
                ${created}, ${end}
              FROM "_companyUser" WHERE "companyId" = ${companyId} AND "userId" = ${userId} RETURNING ${ApiKey.columns}`
          ).pipe(Effect.map((record) => ({ key, record })))
        }),
      list: Effect.flatMap(write, () =>
        Effect.map(read(sql`SELECT ${ApiKey.columns} FROM "_apiKey" ORDER BY "id" DESC`), (rows) =>
          rows.map(ApiKey.fromRow)
        )
      ),
      revoke: (id) =>
        Effect.suspend(() =>
          change(
            () => new ApiKeyMissing({ id }),
            sql`UPDATE "_apiKey" SET "revokedAt" = ${ApiKey.toMicros(now())} WHERE ${inUse(id)}
              RETURNING ${ApiKey.columns}`
          )
        ).pipe(ending),
      roll: (id, overlapMillis) =>
        Effect.suspend(() => {
          const { digest, key, preview } = draw()
          const created = ApiKey.toMicros(now())
          const end = ApiKey.toMicros(now() + overlapMillis)
          return change(
            () => new ApiKeyMissing({ id }),
            sql`${insertion}
              SELECT ${newId()}, "companyId", "userId", "name", ${digest}, ${preview}, "scopes", ${created}, "expiresAt"
              FROM "_apiKey" WHERE ${inUse(id)} RETURNING ${ApiKey.columns}`,
            sql`UPDATE "_apiKey" SET "expiresAt" = ${end}
              WHERE "id" = ${id} AND ("expiresAt" IS NULL OR "expiresAt" > ${end})`
          ).pipe(Effect.map((record) => ({ key, record })))
        }).pipe(ending),
      forget: cache.clear,
      lookups: () => lookups
    }
  })

/**
 * Issues, verifies and revokes API keys. Only digests are stored; verification is cached in memory; a revocation takes
 * effect immediately.
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
import type { Rows } from "../sql/Change.ts"
import { micros } from "../sql/ServiceColumn.ts"
import { type Fragment, identifier, join, sql } from "../sql/Statement.ts"
import * as ServiceTables from "../store/ServiceTables.ts"
import type { StoreUnavailable } from "../store/Store.ts"
import * as SyncEffect from "../world/SyncEffect.ts"
import type { Member, World } from "../world/World.ts"
import * as ApiKey from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"
import * as KeyCache from "./KeyCache.ts"

/** The reasons for which a key is refused. */
type Denial = { readonly _tag: "KeyMissing" } | { readonly _tag: "KeyInvalid" } | { readonly _tag: "KeyExpired" }

/** The key does not exist, or was revoked. */
export class ApiKeyMissing extends Data.TaggedError("ApiKeyMissing")<{ readonly id: string }> {
  override get message() {
    return `There is no active key ${JSON.stringify(this.id)}: expected the id of a key that is listed`
  }
}

/** The user does not belong to the company. */
export class MemberMissing extends Data.TaggedError("MemberMissing")<{
  readonly companyId: string
  readonly userId: string
}> {
  override get message() {
    return `There is no user ${JSON.stringify(this.userId)} in a company ${JSON.stringify(this.companyId)}: expected a user of a seeded company`
  }
}

/** A new key, which is returned only once, and its stored record. */
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

/** A caller, and the name of its key. */
export interface NamedCaller extends Caller {
  readonly keyName: string
}

export interface ApiKeys {
  /** The caller of a key; an `Exit` when it is cached. */
  readonly verify: (key: string | undefined) => Effect.Effect<Caller, Denial | StoreUnavailable>
  /** The caller of a key that was verified just before, with the key's name. The key does not count as used. */
  readonly peek: (key: string | undefined) => NamedCaller | undefined
  /** Accepts a key of any form with full access, for the life of the process. */
  readonly install: (key: string, member: Member) => void
  /** Accepts the key with a digest likewise. */
  readonly installDigest: (digest: string, member: Member) => void
  readonly create: (key: NewKey) => Effect.Effect<Issued, MemberMissing | StoreUnavailable>
  /** All keys, newest first. */
  readonly list: Effect.Effect<ReadonlyArray<ApiKeyRecord>, StoreUnavailable>
  readonly revoke: (id: string) => Effect.Effect<ApiKeyRecord, ApiKeyMissing | StoreUnavailable>
  /** Issues a replacement for a key, which expires after `overlapMillis`. */
  readonly roll: (id: string, overlapMillis: number) => Effect.Effect<Issued, ApiKeyMissing | StoreUnavailable>
  /** Clears the cache, after the store was replaced. */
  readonly clearCache: () => void
  /** The number of lookups in the store. */
  readonly lookups: () => number
}

const denied = (_tag: Denial["_tag"]): Exit.Exit<never, Denial> => Exit.fail({ _tag })
const missing = denied("KeyMissing")
const invalid = denied("KeyInvalid")
const expired = denied("KeyExpired")

/** A cached lookup: the key's caller or denial, and its expiry. */
interface CachedKey {
  readonly caller: Exit.Exit<Caller, Denial>
  readonly keyId: string | undefined
  readonly name: string
  readonly untilMillis: number
}

const unknown: CachedKey = { caller: invalid, keyId: undefined, name: "", untilMillis: Infinity }

const fromRecord = ({ companyId, expiresAt, id, name, revokedAt, scopes, userId }: ApiKeyRecord): CachedKey =>
  revokedAt !== null
    ? unknown
    : {
        caller: Exit.succeed({ keyId: id, keyName: name, companyId, userId, scopes }),
        keyId: id,
        name,
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

/** The least interval between writes of last uses. A request triggers them and no timer, so that an idle world is still. */
const writeEveryMillis = 60_000

/** The keys of a world. Pending last uses are written when the scope ends. */
export const make = ({ newId, now, store }: World["Type"]): Effect.Effect<ApiKeys, never, Lifetime> =>
  Effect.gen(function* () {
    const cache = KeyCache.make<CachedKey>(() => performance.now())
    const uses = new Map<string, number>()
    const fork = Runtime.runFork(yield* Effect.runtime())
    let lookups = 0
    let installed = 0
    let due = now() + writeEveryMillis

    const judge = ({ caller, keyId, untilMillis }: CachedKey): Exit.Exit<Caller, Denial> => {
      if (keyId === undefined) return caller
      const millis = now()
      if (millis >= untilMillis) return expired
      uses.set(keyId, millis)
      if (millis >= due) {
        due = millis + writeEveryMillis
        fork(tryWrite)
      }
      return caller
    }

    const tables = ServiceTables.make(store)

    /** Runs statements of which the first returns the key's record, or no row when the key does not exist. */
    const change = <E>(absent: () => E, ...statements: ReadonlyArray<Fragment>) =>
      tables.change({
        statements,
        resolve: ([rows]) => {
          const row = rows?.[0]
          return row === undefined ? Either.left(absent()) : Either.right(ApiKey.fromRow(row))
        }
      })

    const look = (digest: string): Effect.Effect<Caller, Denial | StoreUnavailable> => {
      lookups += 1
      const remember = ([row]: Rows) => {
        const cached = row === undefined ? unknown : fromRecord(ApiKey.fromRow(row))
        cache.set(digest, cached)
        return judge(cached)
      }
      return SyncEffect.andThen(
        tables.read(sql`SELECT ${ApiKey.columns} FROM "_apiKey" WHERE "digest" = ${digest}`),
        Exit.flatMap(remember)
      )
    }

    const write = Effect.suspend(() => {
      const statements = Array.from(
        uses,
        ([id, millis]) => sql`UPDATE "_apiKey" SET "lastUsedAt" = ${micros(millis)} WHERE "id" = ${id}`
      )
      uses.clear()
      return statements.length === 0 ? Effect.void : tables.change({ statements, resolve: () => Either.void })
    })
    const tryWrite = Effect.ignore(write)
    const unwatch = store.subscribeToInvalidations((invalidation) => invalidation === "keys" && cache.clear())
    yield* Effect.addFinalizer(() => Effect.sync(unwatch))
    yield* Effect.addFinalizer(() => tryWrite)

    /** Clears the cache as soon as a key has ended, also when the request was interrupted. */
    const ending = <A, E>(effect: Effect.Effect<A, E>) => Effect.uninterruptible(Effect.tap(effect, cache.clear))

    const installDigest = (digest: string, { companyId, userId }: Member) =>
      cache.pin(digest, {
        caller: Exit.succeed({
          keyId: `installed ${++installed}`,
          keyName: "installed",
          companyId,
          userId,
          scopes: ["*"]
        }),
        keyId: undefined,
        name: "installed",
        untilMillis: Infinity
      })

    return {
      verify: (key) => {
        if (key === undefined) return missing
        const digest = KeyCache.digest(key)
        const cached = cache.get(digest)
        if (cached !== undefined) return judge(cached)
        return Either.isLeft(Key.check(key)) ? invalid : look(digest)
      },
      peek: (key) => {
        const cached = key === undefined ? undefined : cache.peek(KeyCache.digest(key))
        return cached !== undefined && Exit.isSuccess(cached.caller)
          ? { ...cached.caller.value, keyName: cached.name }
          : undefined
      },
      install: (key, member) => installDigest(KeyCache.digest(key), member),
      installDigest,
      create: ({ companyId, expiresAt, name, scopes, userId }) =>
        Effect.suspend(() => {
          const { digest, key, preview } = draw()
          const end = expiresAt === null ? null : Number(Timestamp.toMicros(expiresAt))
          const created = micros(now())
          return change(
            () => new MemberMissing({ companyId, userId }),
            sql`${insertion}
              SELECT ${newId()}, "companyId", "userId", ${name}, ${digest}, ${preview}, ${JSON.stringify(scopes)},
                ${created}, ${end}
              FROM "_companyUser" WHERE "companyId" = ${companyId} AND "userId" = ${userId} RETURNING ${ApiKey.columns}`
          ).pipe(Effect.map((record) => ({ key, record })))
        }),
      list: Effect.flatMap(write, () =>
        Effect.map(tables.read(sql`SELECT ${ApiKey.columns} FROM "_apiKey" ORDER BY "id" DESC`), (rows) =>
          rows.map(ApiKey.fromRow)
        )
      ),
      revoke: (id) =>
        Effect.suspend(() =>
          change(
            () => new ApiKeyMissing({ id }),
            sql`UPDATE "_apiKey" SET "revokedAt" = ${micros(now())} WHERE ${inUse(id)}
              RETURNING ${ApiKey.columns}`
          )
        ).pipe(ending),
      roll: (id, overlapMillis) =>
        Effect.suspend(() => {
          const { digest, key, preview } = draw()
          const created = micros(now())
          const end = micros(now() + overlapMillis)
          return change(
            () => new ApiKeyMissing({ id }),
            sql`${insertion}
              SELECT ${newId()}, "companyId", "userId", "name", ${digest}, ${preview}, "scopes", ${created}, "expiresAt"
              FROM "_apiKey" WHERE ${inUse(id)} RETURNING ${ApiKey.columns}`,
            sql`UPDATE "_apiKey" SET "expiresAt" = ${end}
              WHERE "id" = ${id} AND ("expiresAt" IS NULL OR "expiresAt" > ${end})`
          ).pipe(Effect.map((record) => ({ key, record })))
        }).pipe(ending),
      clearCache: cache.clear,
      lookups: () => lookups
    }
  })

/**
 * Refuses a connection pooler that does not fit the setting `--pooling`.
 */
import * as Effect from "effect/Effect"
import * as PostgresAddress from "../../../PostgresAddress.ts"
import { PoolerUnfit, StoreUnreachable } from "../../OpenError.ts"
import type * as PoolMode from "./PoolMode.ts"
import { PostgresError } from "./PostgresError.ts"

export interface Options {
  readonly url: string
  /** The URL without its password, for messages. */
  readonly name: string
  /** Set when a pooler may give each transaction another session. */
  readonly isPooled: boolean
}

/** The parameter that a pooler refuses, by the error of the connection. */
const refusedParameter = (error: unknown): string | undefined =>
  error instanceof PostgresError ? /unsupported startup parameter: (\w+)/.exec(error.message)?.[1] : undefined

/** The error of a store whose connections fail. */
export const failureOf =
  (store: string) =>
  (error: unknown): PoolerUnfit | StoreUnreachable => {
    const parameter = refusedParameter(error)
    return parameter === undefined
      ? new StoreUnreachable({ store, cause: error instanceof Error ? error : new Error(String(error)) })
      : new PoolerUnfit({ store, reason: { _tag: "Parameter", parameter } })
  }

const misfitOf = (mode: PoolMode.PoolMode, isPooled: boolean): PoolerUnfit["reason"] | undefined =>
  mode === "statement"
    ? { _tag: "Statement" }
    : mode === "transaction" && !isPooled
      ? { _tag: "Transaction" }
      : undefined

/** Finds out in which mode the pooler is, if there is one. */
export const check = (
  poolMode: () => Promise<PoolMode.PoolMode>,
  { isPooled, name: store, url }: Options
): Effect.Effect<void, PoolerUnfit | StoreUnreachable> =>
  Effect.gen(function* () {
    if (isPooled && new URL(PostgresAddress.withFirstHost(url)).searchParams.has("search_path")) {
      return yield* new PoolerUnfit({ store, reason: { _tag: "SearchPath" } })
    }
    const reason = misfitOf(yield* Effect.tryPromise({ try: poolMode, catch: failureOf(store) }), isPooled)
    if (reason !== undefined) return yield* new PoolerUnfit({ store, reason })
  })

import type * as Operation from "@mfgdata/domain/Operation"
import type * as Operations from "@mfgdata/domain/Operations"
import type { UserId } from "@mfgdata/domain/Ids"
import type * as Effect from "effect/Effect"
import type { Service } from "../src/Accounts.ts"
import type { CallOptions } from "../src/CallOptions.ts"
import type { NotFound, OperationRejected, ReadError } from "../src/ClientError.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

type Table = typeof Operations.account
type Arguments<O extends Operation.Any> = keyof O["parameters"] extends never
  ? [call?: CallOptions]
  : [request: Operation.Request<O>, call?: CallOptions]

/** The errors of an operation, derived from its declaration in the domain. */
type Failure<O extends Operation.Any> =
  | ReadError
  | (keyof O["parameters"] extends never ? never : OperationRejected)
  | ("NOT_FOUND" extends Operation.ErrorCode<O> ? NotFound : never)

type Derived = {
  readonly [N in Operations.Name]: (
    ...args: Arguments<Table[N]>
  ) => Effect.Effect<Operation.Response<Table[N]>, Failure<Table[N]>>
}

// the interface, written by hand, agrees with the declared operations
expect<Equals<keyof Service, keyof Derived>>()
export const same = (service: Service): Derived => service
export const back = (service: Derived): Service => service

declare const accounts: Service
declare const user: UserId
export const right = accounts.getAccount({ id: user })
// @ts-expect-error -- a user is named by an id, not by any text
export const wrong = accounts.getAccount({ id: "u1" })
// @ts-expect-error -- the profile is the caller's own
export const more = accounts.getCurrentUser({ id: user })

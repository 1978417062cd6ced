import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as Account from "@mfgdata/domain/Account"
import type * as OperationError from "@mfgdata/domain/OperationError"
import type { AccountGroup } from "../src/AccountApi.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare const expect: <_ extends true>() => void

type Endpoint<Name extends string> = HttpApiEndpoint.HttpApiEndpoint.WithName<
  HttpApiGroup.HttpApiGroup.Endpoints<typeof AccountGroup>,
  Name
>

expect<Equals<HttpApiEndpoint.HttpApiEndpoint.Success<Endpoint<"getAccount">>, Account.Account>>()
expect<
  Equals<
    Extract<HttpApiEndpoint.HttpApiEndpoint.Error<Endpoint<"getAccount">>, { code: "NOT_FOUND" }>,
    OperationError.KnownError<"NOT_FOUND">
  >
>()
expect<
  Equals<Extract<HttpApiEndpoint.HttpApiEndpoint.Error<Endpoint<"getCurrentUser">>, { code: "NOT_FOUND" }>, never>
>()

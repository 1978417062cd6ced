/**
 * The operations of the service: account, attributes and notification preferences of the calling user. The type of each
 * method lists its errors.
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { Account, CurrentUser } from "@mfgdata/domain/Account"
import type { Category } from "@mfgdata/domain/Attribute"
import type * as Operation from "@mfgdata/domain/Operation"
import type * as Operations from "@mfgdata/domain/Operations"
import type * as Config from "effect/Config"
import type { ConfigError } from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { CallOptions, LayerOptions } from "./CallOptions.ts"
import type { WithResponse } from "./CallResponse.ts"
import * as ClientConfig from "./ClientConfig.ts"
import type { NotFound, OperationRejected, ReadError } from "./ClientError.ts"
import * as CallContext from "./internal/call/CallContext.ts"
import * as implementation from "./internal/accounts.ts"

/** The address of the service, the API key, and the options of all calls. */
export interface Options extends LayerOptions {
  /** The address of the operation interface, such as `http://127.0.0.1:4010/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | string
  /** The longest time of one attempt (default 60 seconds). */
  readonly timeout?: Duration.DurationInput | undefined
}

/** The parameters of an operation. */
export type Request<Name extends Operations.Name> = Operation.Request<(typeof Operations.account)[Name]>

/** The operations. The last parameter of each holds the options of the call. */
export interface Service {
  /** Returns the stored notification preferences of the calling user. */
  readonly getNotificationPreferences: (
    call?: CallOptions
  ) => Effect.Effect<Operations.NotificationPreferences, ReadError>

  /** Stores whether the calling user receives notifications on a topic over a channel. */
  readonly upsertNotificationPreference: (
    request: Request<"upsertNotificationPreference">,
    call?: CallOptions
  ) => Effect.Effect<null, ReadError | OperationRejected>

  /** Deletes a value of the calling user for an attribute; a missing value is not an error. */
  readonly deleteUserAttributeValue: (
    request: Request<"deleteUserAttributeValue">,
    call?: CallOptions
  ) => Effect.Effect<null, ReadError | OperationRejected>

  /** Returns the account of a user of the caller's company. */
  readonly getAccount: (
    request: Request<"getAccount">,
    call?: CallOptions
  ) => Effect.Effect<Account, ReadError | OperationRejected | NotFound>

  /** Returns the profile of the user that owns the API key. */
  readonly getCurrentUser: (call?: CallOptions) => Effect.Effect<CurrentUser, ReadError>

  /** Returns the active public or private categories, with the caller's values. */
  readonly getAttributes: (
    request: Request<"getAttributes">,
    call?: CallOptions
  ) => Effect.Effect<Operations.Categories, ReadError | OperationRejected>

  /** Returns the active private categories, with the caller's values. */
  readonly getPrivateAttributes: (call?: CallOptions) => Effect.Effect<Operations.Categories, ReadError>

  /** Returns the active public categories, with the caller's values. */
  readonly getPublicAttributes: (call?: CallOptions) => Effect.Effect<Operations.Categories, ReadError>

  /** Returns all active categories, public and private, with the caller's values. */
  readonly getAllAttributeCategories: (call?: CallOptions) => Effect.Effect<Operations.Categories, ReadError>

  /** Returns one category, with the caller's values. An extension of the contract. */
  readonly getAttributeCategoryWithValues: (
    request: Request<"getAttributeCategoryWithValues">,
    call?: CallOptions
  ) => Effect.Effect<Category, ReadError | OperationRejected | NotFound>

  /** Sets or removes the URL of the calling user's avatar. An extension of the contract. */
  readonly updateAvatar: (
    request: Request<"updateAvatar">,
    call?: CallOptions
  ) => Effect.Effect<null, ReadError | OperationRejected>

  /** Changes some fields of the calling user's public account. An extension of the contract. */
  readonly updatePublicAccount: (
    request: Request<"updatePublicAccount">,
    call?: CallOptions
  ) => Effect.Effect<null, ReadError | OperationRejected | NotFound>

  /** Sets the calling user's value of an attribute; the attribute's type decides the type of the value. An extension of the contract. */
  readonly upsertUserAttributeValue: (
    request: Request<"upsertUserAttributeValue">,
    call?: CallOptions
  ) => Effect.Effect<Operations.AttributeValueReference, ReadError | OperationRejected | NotFound>
}

/** Makes the service over the `HttpClient` of the context. */
export const make = (options: Options): Effect.Effect<Service, never, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => implementation.make(client, options))

/**
 * The operations of the service, as a context tag.
 *
 * @example
 * const program = Effect.flatMap(Accounts, (accounts) => accounts.getCurrentUser())
 * program.pipe(Effect.provide(Accounts.layerFetch({ baseUrl: "http://127.0.0.1:4010/api/v1", apiKey })))
 */
export class Accounts extends Context.Tag("@mfgdata/client/Accounts")<Accounts, Service>() {
  /** Makes the service without a layer, for programs that use several. */
  static readonly make = make

  /** A layer from options; requires an `HttpClient`. */
  static readonly layer = (options: Options): Layer.Layer<Accounts, never, HttpClient.HttpClient> =>
    Layer.effect(Accounts, make(options))

  /** A layer from `MFG_BASE_URL` and `MFG_API_KEY`, or another configuration; requires an `HttpClient`. */
  static readonly layerConfig = (
    config: Config.Config<Options> = ClientConfig.accounts
  ): Layer.Layer<Accounts, ConfigError, HttpClient.HttpClient> => Layer.effect(Accounts, Effect.flatMap(config, make))

  /** A layer from options, over the global `fetch`. */
  static readonly layerFetch = (options: Options): Layer.Layer<Accounts> =>
    Layer.provide(Accounts.layer(options), FetchHttpClient.layer)

  /** Changes the options of all calls of an effect, those of `Rows` included. */
  static readonly withOptions: {
    (options: CallOptions): <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    <A, E, R>(effect: Effect.Effect<A, E, R>, options: CallOptions): Effect.Effect<A, E, R>
  } = dual(2, CallContext.withOptions)

  /** Returns the result of an effect with the last response that it received. */
  static readonly withResponse: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<WithResponse<A>, E, R> =
    CallContext.withResponse
}

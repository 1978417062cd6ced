/**
 * The operations of the service: the calling user's account, attributes and choice of notifications. Each method
 * promises exactly what can fail.
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
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as ClientConfig from "./ClientConfig.ts"
import type { NotFound, OperationRejected, ReadError } from "./ClientError.ts"
import * as implementation from "./internal/accounts.ts"
import type * as RetryPolicy from "./RetryPolicy.ts"

/** Where the operations are, who asks, and how patiently. */
export interface Options {
  /** The address of the operation interface, such as `http://127.0.0.1:4010/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted | string
  readonly retry?: RetryPolicy.Options | undefined
  /** How long one attempt may take; 60 seconds when it is left out. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** What an operation is asked with. */
export type Request<Name extends Operations.Name> = Operation.Request<(typeof Operations.account)[Name]>

export interface Service {
  /** The notification choices that the calling user has stored. */
  readonly getNotificationPreferences: () => Effect.Effect<Operations.NotificationPreferences, ReadError>

  /** Stores whether notifications on a topic go to the calling user over a channel. */
  readonly upsertNotificationPreference: (
    request: Request<"upsertNotificationPreference">
  ) => Effect.Effect<null, ReadError | OperationRejected>

  /** Deletes a value that the calling user has for an attribute; changes nothing when there is none. */
  readonly deleteUserAttributeValue: (
    request: Request<"deleteUserAttributeValue">
  ) => Effect.Effect<null, ReadError | OperationRejected>

  /** The account of a user of the caller's company. */
  readonly getAccount: (
    request: Request<"getAccount">
  ) => Effect.Effect<Account, ReadError | OperationRejected | NotFound>

  /** The profile of the user that owns the calling key. */
  readonly getCurrentUser: () => Effect.Effect<CurrentUser, ReadError>

  /** The active categories that are public, or those that are private, with the caller's values. */
  readonly getAttributes: (
    request: Request<"getAttributes">
  ) => Effect.Effect<Operations.Categories, ReadError | OperationRejected>

  /** The active private categories, with the caller's values. */
  readonly getPrivateAttributes: () => Effect.Effect<Operations.Categories, ReadError>

  /** The active public categories, with the caller's values. */
  readonly getPublicAttributes: () => Effect.Effect<Operations.Categories, ReadError>

  /** All active categories, public and private, with the caller's values. */
  readonly getAllAttributeCategories: () => Effect.Effect<Operations.Categories, ReadError>

  /** One category, with the caller's values. An extension of the contract. */
  readonly getAttributeCategoryWithValues: (
    request: Request<"getAttributeCategoryWithValues">
  ) => Effect.Effect<Category, ReadError | OperationRejected | NotFound>

  /** Sets or removes the address of the calling user's picture. An extension of the contract. */
  readonly updateAvatar: (request: Request<"updateAvatar">) => Effect.Effect<null, ReadError | OperationRejected>

  /** Changes what others see of the calling user; what is left out stays. An extension of the contract. */
  readonly updatePublicAccount: (
    request: Request<"updatePublicAccount">
  ) => Effect.Effect<null, ReadError | OperationRejected | NotFound>

  /** Sets the calling user's value of an attribute, which its type decides. An extension of the contract. */
  readonly upsertUserAttributeValue: (
    request: Request<"upsertUserAttributeValue">
  ) => Effect.Effect<Operations.AttributeValueReference, ReadError | OperationRejected | NotFound>
}

/** The service from options; `HttpClient` stays open. */
export const make = (options: Options): Effect.Effect<Service, never, HttpClient.HttpClient> =>
  Effect.flatMap(HttpClient.HttpClient, (client) => implementation.make(client, options))

/**
 * Operations, as a service.
 *
 * @example
 * const program = Effect.flatMap(Accounts, (accounts) => accounts.getCurrentUser())
 * program.pipe(Effect.provide(Accounts.layerFetch({ baseUrl: "http://127.0.0.1:4010/api/v1", apiKey })))
 */
export class Accounts extends Context.Tag("@mfgdata/client/Accounts")<Accounts, Service>() {
  /** The service itself, for whoever keeps more than one. */
  static readonly make = make

  /** From options; `HttpClient` stays open. */
  static readonly layer = (options: Options): Layer.Layer<Accounts, never, HttpClient.HttpClient> =>
    Layer.effect(Accounts, make(options))

  /** From `MFG_BASE_URL` and `MFG_API_KEY`, or another configuration; `HttpClient` stays open. */
  static readonly layerConfig = (
    config: Config.Config<Options> = ClientConfig.accounts
  ): Layer.Layer<Accounts, ConfigError, HttpClient.HttpClient> => Layer.effect(Accounts, Effect.flatMap(config, make))

  /** From options, over the `fetch` of wherever this runs. */
  static readonly layerFetch = (options: Options): Layer.Layer<Accounts> =>
    Layer.provide(Accounts.layer(options), FetchHttpClient.layer)
}

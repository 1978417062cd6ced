/**
 * Fake rows for the tests of a program: the methods of `Rows` over rows in memory. They know the typed query language,
 * and none of the rules of the service besides keys, required columns and types.
 */
import * as HttpClient from "@effect/platform/HttpClient"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import {
  OptionInvalid,
  type PreconditionFailed,
  type QueryError,
  type RemoveError,
  type RetrieveError,
  type UpdateError,
  type UpsertError,
  type WriteError
} from "./ClientError.ts"
import * as FakeService from "./internal/fake/FakeService.ts"
import { make as makeRows, Rows, type Service } from "./Rows.ts"

/** Texts without their brands, so that a row is written with plain literals. */
type Plain<A> = A extends string ? string : A

type RequiredKeys<A> = { [K in keyof A]-?: {} extends Pick<A, K> ? never : K }[keyof A]

/** A row: the columns that a create requires, and any others; the fake sets those that are left out. */
export type FakeRow<R extends Resource.Any> = {
  readonly [C in RequiredKeys<Resource.Create<R>> & keyof Resource.Row<R>]: Plain<Resource.Row<R>[C]>
} & {
  readonly [C in keyof Resource.Row<R>]?: Plain<Resource.Row<R>[C]>
}

/** The rows by resource. */
export type Tables = {
  readonly [N in Catalogue.Name]?: ReadonlyArray<FakeRow<Catalogue.ByName[N]>>
}

/** The error of a method, or a function that decides for each call. */
export type Failure<E> = E | ((resource: Resource.Any) => E | undefined)

/** The methods that fail, each with one of its own errors. */
export interface Failures {
  readonly list?: Failure<QueryError>
  readonly page?: Failure<QueryError>
  readonly pages?: Failure<QueryError>
  readonly stream?: Failure<QueryError>
  readonly count?: Failure<QueryError>
  readonly retrieve?: Failure<RetrieveError>
  readonly retrieveVersioned?: Failure<RetrieveError>
  readonly find?: Failure<QueryError>
  readonly create?: Failure<WriteError>
  /** The error of each row. */
  readonly createMany?: Failure<WriteError>
  readonly update?: Failure<UpdateError | PreconditionFailed>
  readonly modify?: Failure<UpdateError | RetrieveError | PreconditionFailed>
  readonly upsert?: Failure<UpsertError>
  readonly remove?: Failure<RemoveError | PreconditionFailed>
}

export interface Options {
  readonly failures?: Failures
}

type Name = keyof Failures & keyof Service

type Method = (resource: Resource.Any, ...parameters: ReadonlyArray<unknown>) => unknown

const errorOf = (failure: Failure<unknown>, resource: Resource.Any): unknown =>
  typeof failure === "function" ? failure(resource) : failure

/** A method that fails with an error instead of its result, where there is one. */
const failing =
  (name: Name, method: Method, failure: Failure<unknown>): Method =>
  (resource, ...parameters) => {
    const run = () => method(resource, ...parameters)
    if (name === "stream" || name === "pages") {
      return Stream.suspend(() => {
        const error = errorOf(failure, resource)
        return error === undefined ? (run() as Stream.Stream<unknown, unknown>) : Stream.fail(error)
      })
    }
    return Effect.suspend(() => {
      const error = errorOf(failure, resource)
      if (error === undefined) return run() as Effect.Effect<unknown, unknown>
      if (name !== "createMany") return Effect.fail(error)
      return Effect.succeed([...(parameters[0] as Iterable<unknown>)].map(() => Either.left(error)))
    })
  }

const withFailures = (service: Service, failures: Failures): Service => ({
  ...service,
  // Each failure has the type of an error of its method, whose signature stays.
  ...Object.fromEntries(
    Object.entries(failures).flatMap(([name, failure]) =>
      failure === undefined ? [] : [[name, failing(name as Name, service[name as Name] as unknown as Method, failure)]]
    )
  )
})

/** Fills the tables; a row that is not one of its resource is a defect that names it. */
const fill = (tables: Tables, service: ReturnType<typeof FakeService.make>, now: number): void => {
  for (const [name, rows] of Object.entries(tables)) {
    const resource = Catalogue.find(name)
    if (resource === undefined)
      throw new OptionInvalid({ option: name, expected: "the name of a resource", got: undefined })
    for (const [index, row] of (rows ?? []).entries()) {
      const added = service.tableOf(resource).add(row, now)
      if (Either.isLeft(added)) {
        const expected = `a row: ${added.left.message}`
        throw new OptionInvalid({ option: `${name}[${index}]`, expected, got: undefined })
      }
    }
  }
}

/** Makes the service over rows. */
export const make = (tables: Tables = {}, { failures = {} }: Options = {}): Effect.Effect<Service> =>
  Effect.gen(function* () {
    const fake = FakeService.make()
    fill(tables, fake, yield* Clock.currentTimeMillis)
    const options = { restUrl: "http://fake.test", apiKey: "fake", retry: { times: 0 } }
    const service = yield* Effect.provideService(makeRows(options), HttpClient.HttpClient, fake.client)
    return withFailures(service, failures)
  })

/**
 * A layer of fake rows.
 *
 * @example
 * program.pipe(Effect.provide(FakeRows.layer({ holiday: [{ name: "May Day", date: "2027-05-01", companyId: "demo" }] })))
 */
export const layer = (tables: Tables = {}, options: Options = {}): Layer.Layer<Rows> =>
  Layer.effect(Rows, make(tables, options))

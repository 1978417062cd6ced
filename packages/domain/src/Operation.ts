/**
 * An operation of the operation interface: a POST with an object of parameters, its response and its error codes.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as OperationError from "./OperationError.ts"
import type * as Scope from "./Scope.ts"

/** The error codes of every operation. */
export const commonErrorCodes = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "TOO_MANY_REQUESTS",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE"
] as const satisfies ReadonlyArray<OperationError.KnownCode>

/** An operation in generic code. */
export interface Any {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly summary: string
  /** The fields of the body, each a required or an optional schema. */
  readonly parameters: Schema.Struct.Fields
  /** The body: an object, also without parameters. Unknown keys are ignored. */
  readonly request: Schema.Schema.AnyNoContext
  readonly response: Schema.Schema.AnyNoContext
  /** The scope that a key requires; undefined allows every key. */
  readonly scope: Scope.AccountScope | undefined
  /** The error codes of its responses: {@link commonErrorCodes} and its own. */
  readonly errorCodes: ReadonlyArray<OperationError.KnownCode>
  /** True for operations that the contract does not list. */
  readonly extension: boolean
}

/** An operation with its name and schemas. */
export interface Operation<
  Namespace extends string,
  Name extends string,
  Parameters extends Schema.Struct.Fields,
  Response extends Schema.Schema.AnyNoContext,
  ErrorCode extends OperationError.KnownCode
> extends Any {
  readonly id: `${Namespace}.${Name}`
  readonly name: Name
  readonly path: `/${Namespace}/${Name}`
  readonly parameters: Parameters
  readonly request: Schema.Schema<Schema.Struct.Type<Parameters>, Schema.Struct.Encoded<Parameters>>
  readonly response: Response
  readonly errorCodes: ReadonlyArray<(typeof commonErrorCodes)[number] | ErrorCode>
}

export type Request<O extends Any> = Schema.Schema.Type<O["request"]>
export type Response<O extends Any> = Schema.Schema.Type<O["response"]>
/** The error codes of an operation. */
export type ErrorCode<O extends Any> = O["errorCodes"][number]

/** The declaration of an operation; its name is its key in the table. */
export interface Declaration {
  readonly summary: string
  readonly parameters: Schema.Struct.Fields
  readonly response: Schema.Schema.AnyNoContext
  /** The scope that a key requires; undefined allows every key. */
  readonly scope: Scope.AccountScope | undefined
  readonly errorCodes?: ReadonlyArray<OperationError.KnownCode>
  readonly extension?: true
}

/** The operations of a namespace, by name. */
export type Table<Namespace extends string, Declared extends { readonly [name: string]: Declaration }> = {
  readonly [Name in keyof Declared & string]: Operation<
    Namespace,
    Name,
    Declared[Name]["parameters"],
    Declared[Name]["response"],
    Declared[Name] extends { readonly errorCodes: ReadonlyArray<infer ErrorCode extends OperationError.KnownCode> }
      ? ErrorCode
      : never
  >
}

const requestOf = (name: string, parameters: Schema.Struct.Fields) => {
  const struct = Schema.Struct(parameters)
  return Object.keys(parameters).length > 0
    ? struct.annotations({ identifier: `${name.charAt(0).toUpperCase()}${name.slice(1)}Request` })
    : // A struct without fields accepts every value but null.
      struct
        .annotations({ jsonSchema: { type: "object", properties: {} } })
        .pipe(Schema.filter((value) => Predicate.isRecord(value), { description: "an object" }))
}

const make = (namespace: string, name: string, declaration: Declaration) => ({
  id: `${namespace}.${name}`,
  name,
  path: `/${namespace}/${name}`,
  summary: declaration.summary,
  parameters: declaration.parameters,
  request: requestOf(name, declaration.parameters),
  response: declaration.response,
  scope: declaration.scope,
  errorCodes: [...commonErrorCodes, ...(declaration.errorCodes ?? [])],
  extension: declaration.extension ?? false
})

/** Declares the operations of a namespace. */
export const table = <const Namespace extends string, Declared extends { readonly [name: string]: Declaration }>(
  namespace: Namespace,
  declared: Declared
): Table<Namespace, Declared> =>
  // Each entry keeps the name and the schemas of its declaration, which the type of `fromEntries` loses; type tests and
  // the tests of all operations check this signature.
  Object.fromEntries(
    Object.entries(declared).map(([name, declaration]) => [name, make(namespace, name, declaration)])
  ) as unknown as Table<Namespace, Declared>

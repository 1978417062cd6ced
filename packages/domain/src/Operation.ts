/**
 * One operation of the operation interface: a POST with an object of parameters, and what it answers.
 */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as OperationError from "./OperationError.ts"

/** How any operation may be refused. */
export const refusals = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "TOO_MANY_REQUESTS",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE"
] as const satisfies ReadonlyArray<OperationError.Known>

/** What generic code sees of an operation. */
export interface Any {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly summary: string
  /** The fields of the body, each a schema or an optional one. */
  readonly parameters: Schema.Struct.Fields
  /** The body: always an object, also where there are no parameters; unknown keys have no effect. */
  readonly request: Schema.Schema.AnyNoContext
  readonly response: Schema.Schema.AnyNoContext
  /** The codes it may answer: {@link refusals} and its own. */
  readonly refusals: ReadonlyArray<OperationError.Known>
  /** Whether the contract does not list it. */
  readonly extension: boolean
}

/** An operation whose name and schemas are known. */
export interface Operation<
  Namespace extends string,
  Name extends string,
  Parameters extends Schema.Struct.Fields,
  Response extends Schema.Schema.AnyNoContext,
  Refusal extends OperationError.Known
> extends Any {
  readonly id: `${Namespace}.${Name}`
  readonly name: Name
  readonly path: `/${Namespace}/${Name}`
  readonly parameters: Parameters
  readonly request: Schema.Schema<Schema.Struct.Type<Parameters>, Schema.Struct.Encoded<Parameters>>
  readonly response: Response
  readonly refusals: ReadonlyArray<(typeof refusals)[number] | Refusal>
}

export type Request<O extends Any> = Schema.Schema.Type<O["request"]>
export type Response<O extends Any> = Schema.Schema.Type<O["response"]>
/** The codes an operation may answer when it refuses. */
export type Refusal<O extends Any> = O["refusals"][number]

/** What an operation is declared by; its name is its key in the table. */
export interface Declaration {
  readonly summary: string
  readonly parameters: Schema.Struct.Fields
  readonly response: Schema.Schema.AnyNoContext
  readonly refusals?: ReadonlyArray<OperationError.Known>
  readonly extension?: true
}

/** The operations of a namespace, by name. */
export type Table<Namespace extends string, Declared extends { readonly [name: string]: Declaration }> = {
  readonly [Name in keyof Declared & string]: Operation<
    Namespace,
    Name,
    Declared[Name]["parameters"],
    Declared[Name]["response"],
    Declared[Name] extends { readonly refusals: ReadonlyArray<infer Refusal extends OperationError.Known> }
      ? Refusal
      : never
  >
}

const requestOf = (name: string, parameters: Schema.Struct.Fields) => {
  const struct = Schema.Struct(parameters)
  return Object.keys(parameters).length > 0
    ? struct.annotations({ identifier: `${name.charAt(0).toUpperCase()}${name.slice(1)}Request` })
    : // A struct without fields lets every value but null pass, and its JSON Schema says so.
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
  refusals: [...refusals, ...(declaration.refusals ?? [])],
  extension: declaration.extension ?? false
})

/** Declares the operations of a namespace. */
export const table = <const Namespace extends string, Declared extends { readonly [name: string]: Declaration }>(
  namespace: Namespace,
  declared: Declared
): Table<Namespace, Declared> =>
  // Each entry keeps the name and the schemas it is declared by, which a record of entries cannot say; the type tests
  // and those of every operation's requests hold this signature to it.
  Object.fromEntries(
    Object.entries(declared).map(([name, declaration]) => [name, make(namespace, name, declaration)])
  ) as unknown as Table<Namespace, Declared>

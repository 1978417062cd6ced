/**
 * A resource of the data service: its path, its key, its columns, three schemas, and the rules of its store.
 */
import * as Schema from "effect/Schema"
import { identity } from "effect/Function"
import type { Simplify } from "effect/Types"
import * as Memo from "./Memo.ts"
import type * as ResourceRules from "./ResourceRules.ts"

export const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Resource")
export type TypeId = typeof TypeId

export type Field = Schema.Schema.AnyNoContext
export type Fields = { readonly [name: string]: Field }

type Omittable<S extends Schema.Schema.All> = Schema.optionalWith<S, { exact: true }>

export type RowFields<Req extends Fields, Opt extends Fields, Ret extends Fields> = {
  readonly [K in keyof Ret]: Ret[K]
} & { readonly [K in keyof Req]: Req[K] } & { readonly [K in keyof Opt]: Schema.NullOr<Opt[K]> }

export type CreateFields<Req extends Fields, Opt extends Fields> = { readonly [K in keyof Req]: Req[K] } & {
  readonly [K in keyof Opt]: Omittable<Schema.NullOr<Opt[K]>>
}

export type UpdateFields<Req extends Fields, Opt extends Fields> = {
  readonly [K in keyof Req]: Omittable<Req[K]>
} & { readonly [K in keyof Opt]: Omittable<Schema.NullOr<Opt[K]>> }

/** The columns that a create must or may have. */
export interface Writes {
  readonly [column: string]: "required" | "optional"
}

export interface Resource<
  Name extends string,
  Key extends string,
  Req extends Fields,
  Opt extends Fields,
  Ret extends Fields
> {
  /** As a type, the class is one row; it is never constructed. */
  new (_: never): Simplify<Schema.Struct.Type<RowFields<Req, Opt, Ret>>>
  readonly [TypeId]: TypeId
  readonly resource: Name
  readonly key: Key
  readonly Key: (Req & Opt & Ret)[Key]
  readonly columns: RowFields<Req, Opt, Ret>
  /** The columns that a caller may write; the service sets all others. */
  readonly writes: Writes
  readonly Row: Schema.Struct<RowFields<Req, Opt, Ret>>
  readonly Create: Schema.Struct<CreateFields<Req, Opt>>
  readonly Update: Schema.Struct<UpdateFields<Req, Opt>>
  readonly rules: ResourceRules.ResourceRules
  readonly variantOf?: VariantOf
}

/* oxlint-disable typescript/no-explicit-any -- generic code holds rows it cannot know; each signature narrows them
   through Row<R> again, and Struct<any> spares the compiler the comparison of every field of every resource */

/** A resource in generic code, without the types of its columns. */
export interface Any {
  new (_: never): any
  readonly [TypeId]: TypeId
  readonly resource: string
  readonly key: string
  readonly Key: Field
  readonly columns: Schema.Struct.Fields
  readonly writes: Writes
  readonly Row: Schema.Struct<any>
  readonly Create: Schema.Struct<any>
  readonly Update: Schema.Struct<any>
  readonly rules: ResourceRules.ResourceRules
  /** For a variant: finds the variants of other resources that belong with it. */
  readonly variantOf?: VariantOf
}

/** Returns the variant of a resource, which is the resource itself if it has none. */
export interface VariantOf {
  (resource: Any): Any
}

/* oxlint-enable typescript/no-explicit-any */

/** A row: every field, null where it has no value. */
export type Row<R extends Any> = R extends new (_: never) => infer A ? A : never
/** The values of a create. */
export type Create<R extends Any> = Schema.Schema.Type<R["Create"]>
/** The values of an update: any subset; null clears an optional field. */
export type Update<R extends Any> = Schema.Schema.Type<R["Update"]>
/** The key of a row. */
export type Key<R extends Any> = Schema.Schema.Type<R["Key"]>
/** The names of a resource's fields. */
export type Column<R extends Any> = keyof R["columns"] & string

const map = <A>(fields: Fields, f: (field: Field) => A): Record<string, A> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, f(field)]))

const omittable = (field: Field) => Schema.optionalWith(field, { exact: true })

const identifierOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

type Blocks = { readonly resource: string; readonly columns: Fields; readonly writes: Writes }

// Schemas are made when they are first used: a program uses few of those of the catalogue.

const rowOf = Memo.make(({ columns, resource }: Blocks) =>
  Schema.Struct(columns).annotations({ identifier: identifierOf(resource) })
)

/** The columns that a caller may write, required ones changed by a function. */
const writable = ({ columns, writes }: Blocks, required: (field: Field) => Schema.Struct.Field): Schema.Struct.Fields =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, field]) =>
      writes[name] === undefined ? [] : [[name, writes[name] === "required" ? required(field) : omittable(field)]]
    )
  )

const createOf = Memo.make((resource: Blocks) =>
  Schema.Struct(writable(resource, identity)).annotations({ identifier: `${identifierOf(resource.resource)}Create` })
)

const updateOf = Memo.make((resource: Blocks) =>
  Schema.Struct(writable(resource, omittable)).annotations({ identifier: `${identifierOf(resource.resource)}Update` })
)

/** The defaults of columns that have the same name in every resource. */
export const defaults: { readonly [column: string]: ResourceRules.Default } = {
  id: { _tag: "NewId" },
  companyId: { _tag: "Company" },
  createdBy: { _tag: "Creator" },
  createdAt: { _tag: "CreatedAt" },
  updatedBy: { _tag: "Updater" },
  updatedAt: { _tag: "UpdatedAt" }
}

/** Declares a resource: the columns that a create must have, may have, and must not have. */
export const make = <
  const Name extends string,
  Key extends (keyof Req | keyof Opt | keyof Ret) & string,
  Req extends Fields,
  Ret extends Fields,
  Opt extends Fields = {}
>(
  name: Name,
  options: {
    readonly key: Key
    readonly required: Req
    readonly optional?: Opt
    readonly returned: Ret
    readonly rules?: Partial<ResourceRules.ResourceRules>
  }
): Resource<Name, Key, Req, Opt, Ret> => {
  const { required, returned, optional = {} } = options
  const columns: Fields = { ...returned, ...required, ...map(optional, Schema.NullOr) }
  const defaulted = { ...returned, ...optional }
  class Resource {
    static readonly [TypeId]: TypeId = TypeId
    static readonly resource = name
    static readonly key = options.key
    static readonly Key = columns[options.key]
    static readonly columns = columns
    static readonly writes: Writes = { ...map(required, () => "required"), ...map(optional, () => "optional") }
    static get Row() {
      return rowOf(this)
    }
    static get Create() {
      return createOf(this)
    }
    static get Update() {
      return updateOf(this)
    }
    static readonly rules: ResourceRules.ResourceRules = {
      unique: [],
      checks: [],
      indexed: [],
      onParentDelete: {},
      owner: "company",
      ownCompany: false,
      ...options.rules,
      defaults: {
        ...Object.fromEntries(Object.entries(defaults).filter(([column]) => column in defaulted)),
        ...options.rules?.defaults
      }
    }
  }
  // Made from the blocks that the signature types; type tests compare the two.
  // oxlint-disable-next-line typescript/no-explicit-any -- the type of the class has no fields
  return Resource as any
}

/**
 * A variant of a resource with other columns, writes and rules, for a service that differs from the contract. Its rules
 * hold under every rule set.
 */
export const vary = (
  resource: Any,
  changes: { readonly columns: Fields; readonly writes: Writes; readonly rules: ResourceRules.ResourceRules },
  variantOf: VariantOf
): Any => {
  class Variant extends resource {
    static override readonly columns = changes.columns
    static override readonly writes = changes.writes
    static override readonly rules = changes.rules
    static override readonly variantOf = variantOf
  }
  return Variant
}

/** A list of resources as an object, each under its name. */
export type ByName<List extends ReadonlyArray<Any>> = {
  readonly [R in List[number] as R["resource"]]: R
}

/** The object that {@link ByName} describes. */
export const byName = <const List extends ReadonlyArray<Any>>(list: List): ByName<List> =>
  // oxlint-disable-next-line typescript/no-explicit-any -- keyed by the names of the resources, as the type is
  Object.fromEntries(list.map((resource) => [resource.resource, resource])) as any

// oxlint-disable-next-line typescript/no-explicit-any -- the one place where a struct of unknown fields gets its type back
const typed = <A>(schema: Schema.Struct<any>) => schema as unknown as Schema.Schema<A, unknown>

/** The row schema in generic code. */
export const rowSchema = <R extends Any>(resource: R): Schema.Schema<Row<R>, unknown> => typed(resource.Row)

/** The create schema in generic code. */
export const createSchema = <R extends Any>(resource: R): Schema.Schema<Create<R>, unknown> => typed(resource.Create)

/** The update schema in generic code. */
export const updateSchema = <R extends Any>(resource: R): Schema.Schema<Update<R>, unknown> => typed(resource.Update)

/** The schema of rows with some of the columns. */
export const pick = <R extends Any, const C extends Column<R>>(
  resource: R,
  columns: ReadonlyArray<C>
): Schema.Schema<Pick<Row<R>, C>, unknown> => typed(resource.Row.pick(...columns))

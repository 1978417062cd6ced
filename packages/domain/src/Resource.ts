/**
 * A resource of the data service: one table, one path, three schemas, and what a store must know of it.
 */
import * as Schema from "effect/Schema"
import type { Simplify } from "effect/Types"
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

/** Whether a create must or may carry a column. */
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
}

/* oxlint-disable typescript/no-explicit-any -- generic code holds rows it cannot know; each signature narrows them
   through Row<R> again, and Struct<any> spares the compiler the comparison of every field of every resource */

/** What generic code sees: no type of a single resource leaks through it. */
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
}

/* oxlint-enable typescript/no-explicit-any */

/** A row: every field, null where nothing is stored. */
export type Row<R extends Any> = R extends new (_: never) => infer A ? A : never
/** What a create may carry. */
export type Create<R extends Any> = Schema.Schema.Type<R["Create"]>
/** What an update may carry: any subset; null clears an optional field. */
export type Update<R extends Any> = Schema.Schema.Type<R["Update"]>
/** The value that names one row. */
export type Key<R extends Any> = Schema.Schema.Type<R["Key"]>
/** The names of a resource's fields. */
export type Column<R extends Any> = keyof R["columns"] & string

const map = <A>(fields: Fields, f: (field: Field) => A): Record<string, A> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, f(field)]))

const omittable = (field: Field) => Schema.optionalWith(field, { exact: true })

/** A value made when first asked for: a program that starts needs few of the catalogue's schemas, if any. */
const lazy = <A extends object>(evaluate: () => A): (() => A) => {
  let value: A | undefined
  return () => (value ??= evaluate())
}

/** What the service fills, by the name that such a column has everywhere. */
const fills: { readonly [column: string]: ResourceRules.Fill } = {
  id: { _tag: "NewId" },
  companyId: { _tag: "Company" },
  createdBy: { _tag: "Creator" },
  createdAt: { _tag: "CreatedAt" },
  updatedBy: { _tag: "Updater" },
  updatedAt: { _tag: "UpdatedAt" }
}

/** Declares a resource: what a create must carry, what it may carry, and what the service sets. */
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
  const identifier = name.charAt(0).toUpperCase() + name.slice(1)
  const nullable = map(optional, Schema.NullOr)
  const columns: Fields = { ...returned, ...required, ...nullable }
  const filled = { ...returned, ...optional }
  const row = lazy(() => Schema.Struct(columns).annotations({ identifier }))
  const create = lazy(() =>
    Schema.Struct({ ...required, ...map(nullable, omittable) }).annotations({ identifier: `${identifier}Create` })
  )
  const update = lazy(() =>
    Schema.Struct(map({ ...required, ...nullable }, omittable)).annotations({ identifier: `${identifier}Update` })
  )
  class Resource {
    static readonly [TypeId]: TypeId = TypeId
    static readonly resource = name
    static readonly key = options.key
    static readonly Key = columns[options.key]
    static readonly columns = columns
    static readonly writes: Writes = { ...map(required, () => "required"), ...map(optional, () => "optional") }
    static get Row() {
      return row()
    }
    static get Create() {
      return create()
    }
    static get Update() {
      return update()
    }
    static readonly rules: ResourceRules.ResourceRules = {
      unique: [],
      checks: [],
      indexed: [],
      onParentDelete: {},
      owner: "company",
      ...options.rules,
      fills: {
        ...Object.fromEntries(Object.entries(fills).filter(([column]) => column in filled)),
        ...options.rules?.fills
      }
    }
  }
  // Built from blocks that the signature types; type tests guard that both sides agree.
  // oxlint-disable-next-line typescript/no-explicit-any -- the class's own type knows no field
  return Resource as any
}

/** A list of resources as an object, each under its name. */
export type ByName<List extends ReadonlyArray<Any>> = {
  readonly [R in List[number] as R["resource"]]: R
}

/** The object that {@link ByName} describes. */
export const byName = <const List extends ReadonlyArray<Any>>(list: List): ByName<List> =>
  // oxlint-disable-next-line typescript/no-explicit-any -- keyed by each one's own name, as the type says
  Object.fromEntries(list.map((resource) => [resource.resource, resource])) as any

// oxlint-disable-next-line typescript/no-explicit-any -- the one place where a struct of unknown fields gets its type back
const typed = <A>(schema: Schema.Struct<any>) => schema as unknown as Schema.Schema<A, unknown>

/** The row schema, for code that does not know which resource it holds. */
export const rowSchema = <R extends Any>(resource: R): Schema.Schema<Row<R>, unknown> => typed(resource.Row)

/** The create schema, likewise. */
export const createSchema = <R extends Any>(resource: R): Schema.Schema<Create<R>, unknown> => typed(resource.Create)

/** The update schema, likewise. */
export const updateSchema = <R extends Any>(resource: R): Schema.Schema<Update<R>, unknown> => typed(resource.Update)

/** The schema of rows of which only some columns were asked for. */
export const pick = <R extends Any, const C extends Column<R>>(
  resource: R,
  columns: ReadonlyArray<C>
): Schema.Schema<Pick<Row<R>, C>, unknown> => typed(resource.Row.pick(...columns))

/**
 * A resource of the data service: one table, one path, three schemas, and what a store must know of it.
 */
import * as Schema from "effect/Schema"
import type { Simplify } from "effect/Types"
import type * as Facts from "./Facts.ts"

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
  readonly Row: Schema.Struct<RowFields<Req, Opt, Ret>>
  readonly Create: Schema.Struct<CreateFields<Req, Opt>>
  readonly Update: Schema.Struct<UpdateFields<Req, Opt>>
  readonly facts: Facts.Facts
}

/** What generic code sees: no type of a single resource leaks through it. */
export interface Any {
  // Generic code holds rows it cannot know; each public signature narrows this again through Row<R>.
  new (_: never): any
  readonly [TypeId]: TypeId
  readonly resource: string
  readonly key: string
  readonly Key: Field
  readonly columns: Schema.Struct.Fields
  readonly Row: Schema.Struct<any>
  readonly Create: Schema.Struct<any>
  readonly Update: Schema.Struct<any>
  readonly facts: Facts.Facts
}

export type Row<R extends Any> = R extends new (_: never) => infer A ? A : never
export type Create<R extends Any> = Schema.Schema.Type<R["Create"]>
export type Update<R extends Any> = Schema.Schema.Type<R["Update"]>
export type Key<R extends Any> = Schema.Schema.Type<R["Key"]>
export type Column<R extends Any> = keyof R["columns"] & string

const map = <A>(fields: Fields, f: (field: Field) => A): Record<string, A> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, f(field)]))

const omittable = (field: Field) => Schema.optionalWith(field, { exact: true })

/** What the service fills, by the name that such a column has everywhere. */
const fills: { readonly [column: string]: Facts.Fill } = {
  id: { _tag: "NewId" },
  companyId: { _tag: "Company" },
  createdBy: { _tag: "Creator" },
  createdAt: { _tag: "CreatedAt" },
  updatedBy: { _tag: "Updater" },
  updatedAt: { _tag: "UpdatedAt" }
}

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
    readonly facts?: Partial<Facts.Facts>
  }
): Resource<Name, Key, Req, Opt, Ret> => {
  const identifier = name.charAt(0).toUpperCase() + name.slice(1)
  const nullable = map(options.optional ?? {}, Schema.NullOr)
  const columns: Fields = { ...options.returned, ...options.required, ...nullable }
  class Resource {
    static readonly [TypeId]: TypeId = TypeId
    static readonly resource = name
    static readonly key = options.key
    static readonly Key = columns[options.key]
    static readonly columns = columns
    static readonly Row = Schema.Struct(columns).annotations({ identifier })
    static readonly Create = Schema.Struct({ ...options.required, ...map(nullable, omittable) }).annotations({
      identifier: `${identifier}Create`
    })
    static readonly Update = Schema.Struct({
      ...map(options.required, omittable),
      ...map(nullable, omittable)
    }).annotations({ identifier: `${identifier}Update` })
    static readonly facts: Facts.Facts = {
      unique: [],
      checks: [],
      onParentDelete: {},
      owner: "company",
      ...options.facts,
      fills: {
        ...Object.fromEntries(Object.entries(fills).filter(([column]) => column in columns)),
        ...options.facts?.fills
      }
    }
  }
  // The class is built by name from blocks that the signature types; the type tests guard both sides.
  return Resource as any
}

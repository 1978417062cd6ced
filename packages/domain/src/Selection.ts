/**
 * The selections of a resource: columns, renames and embeds, and the type of the rows that they return.
 */
import type { BrandTypeId } from "effect/Brand"
import { identity } from "effect/Function"
import type { Covariant, Simplify, UnionToIntersection } from "effect/Types"
import * as Filter from "./Filter.ts"
import type { Json, JsonObject } from "./Json.ts"
import type * as Resource from "./Resource.ts"
import type * as Select from "./Select.ts"
import type { TextSelection } from "./TextQuery.ts"

/** Columns by name, `*` for all columns, renames as objects, and embeds. */
export type Selection<R extends Resource.Any> = ReadonlyArray<Item<R>>

/** One item of a selection. */
export type Item<R extends Resource.Any> = "*" | Resource.Column<R> | Renames<R> | AnyEmbedding

/** A column, a path into its JSON, or a cast, by its new name. */
export interface Renames<R extends Resource.Any> {
  readonly [alias: string]: Resource.Column<R> | Filter.PathOf<Resource.Column<R>> | Cast<Resource.Column<R>>
}

/** A column or path that the service converts to another type. */
export interface Cast<out Column extends string> {
  readonly path: Filter.PathOf<Column>
  readonly cast: string
}

const TypeId: unique symbol = Symbol.for("@mfgdata/domain/Selection/Embedding")

/** Embedded rows as an item of a selection. */
export interface AnyEmbedding {
  // Without type parameters, so that nothing is inferred where an embed is expected.
  readonly [TypeId]: object
  readonly item: Select.Embed
  /** The embedded resource and its selection, from which the schema of the rows is made. */
  readonly resource: Resource.Any
  readonly select: ReadonlyArray<unknown>
}

/** Embedded rows with the types of their resource and selection. */
export interface Embedding<
  out E extends Resource.Any,
  out S extends ReadonlyArray<unknown>,
  out Name extends string,
  out J extends Select.Join,
  out Spread extends boolean
> extends AnyEmbedding {
  readonly [TypeId]: {
    readonly _Resource: Covariant<E>
    readonly _Selection: Covariant<S>
    readonly _Name: Covariant<Name>
    readonly _Join: Covariant<J>
    readonly _Spread: Covariant<Spread>
  }
}

/** Makes an embed; the caller declares its types. */
export const embedding = <
  E extends Resource.Any,
  S extends ReadonlyArray<unknown>,
  Name extends string,
  J extends Select.Join,
  Spread extends boolean
>(
  item: Select.Embed,
  resource: E,
  select: ReadonlyArray<unknown>
): Embedding<E, S, Name, J, Spread> => ({
  [TypeId]: { _Resource: identity, _Selection: identity, _Name: identity, _Join: identity, _Spread: identity },
  item,
  resource,
  select
})

type Keys = readonly [string | number, ...ReadonlyArray<string | number>]

/** The path of a value inside a JSON column. */
export const json = <const Column extends string>(column: Column, ...keys: Keys): Filter.PathOf<Column> => ({
  column,
  json: keys.map((key) => ({ arrow: "->", key }))
})

/** The path of a value inside a JSON column, as text: for `like` and `order`. */
export const text = <const Column extends string>(column: Column, ...keys: Keys): Filter.PathOf<Column> => ({
  column,
  json: keys.map((key, index) => ({ arrow: index === keys.length - 1 ? "->>" : "->", key }))
})

/** A column or path, converted to a type of PostgreSQL. */
export const cast = <const Column extends string>(
  column: Column | Filter.PathOf<Column>,
  type: string
): Cast<Column> => ({ path: typeof column === "string" ? Filter.column(column) : column, cast: type })

const field = (path: Filter.Path, alias?: string, cast?: string): Select.Field => ({
  _tag: "Field",
  path,
  alias,
  cast,
  aggregate: undefined
})

/** Reports whether an item that is not a name is an embed. */
export const isEmbedding = <R extends Resource.Any>(item: Renames<R> | AnyEmbedding): item is AnyEmbedding =>
  TypeId in item

/** The items of a selection. */
export const toItems = <R extends Resource.Any>(selection: Selection<R>): ReadonlyArray<Select.Item> =>
  selection.flatMap((item): ReadonlyArray<Select.Item> => {
    if (item === "*") return [{ _tag: "All" }]
    if (typeof item === "string") return [field(Filter.column(item))]
    if (isEmbedding(item)) return [item.item]
    return Object.entries(item).map(([alias, source]) =>
      typeof source === "string"
        ? field(Filter.column(source), alias)
        : "path" in source
          ? field(source.path, alias, source.cast)
          : field(source, alias)
    )
  })

/** The type of the rows of a selection; an empty one selects all columns. */
export type SelectedRow<R extends Resource.Any, S extends ReadonlyArray<unknown>> = S extends readonly []
  ? Resource.Row<R>
  : S extends TextSelection
    ? JsonObject
    : Picked<R, S[number]>

/** A selection whose embeds have a reference to the resource or from it; the message of the compiler for other embeds. */
export type Referring<R extends Resource.Any, S extends ReadonlyArray<unknown>> = S extends TextSelection
  ? S
  : { readonly [I in keyof S]: S[I] extends AnyEmbedding ? ReferringEmbed<R, S[I]> : S[I] }

type ReferringEmbed<R extends Resource.Any, I> =
  I extends Embedding<infer E, ReadonlyArray<unknown>, string, Select.Join, boolean>
    ? Refers<R, E> extends true
      ? I
      : Refers<E, R> extends true
        ? I
        : `${R["resource"]} has no reference to ${E["resource"]}, nor ${E["resource"]} to ${R["resource"]}`
    : I

/** The names of the embeds of a selection. */
export type EmbedName<S extends ReadonlyArray<unknown>> = NameOfAny<S[number]>

type NameOfAny<I> =
  I extends Embedding<infer E, ReadonlyArray<unknown>, infer Name, Select.Join, infer Spread>
    ? Spread extends true
      ? E["resource"]
      : Name
    : I extends AnyEmbedding
      ? string
      : never

type Picked<R extends Resource.Any, I> = [I] extends [Resource.Column<R>]
  ? Pick<Resource.Row<R>, I>
  : [I] extends ["*"]
    ? Resource.Row<R>
    : Simplify<
        ("*" extends I ? Resource.Row<R> : Pick<Resource.Row<R>, Extract<I, Resource.Column<R>>>) &
          Renamed<R, Exclude<I, string | AnyEmbedding>> &
          Nested<R, Extract<I, AnyEmbedding>> &
          Lifted<R, Extract<I, AnyEmbedding>>
      >

type Renamed<R extends Resource.Any, I> = {
  readonly [K in KeyOf<I>]: Source<I, K> extends Resource.Column<R> ? Resource.Row<R>[Source<I, K>] : Json
}

type KeyOf<I> = I extends unknown ? keyof I : never
type Source<I, K> = I extends { readonly [Key in K & PropertyKey]: infer A } ? A : never

type Nested<R extends Resource.Any, I extends AnyEmbedding> = {
  readonly [E in I as NameOf<E>]: Related<R, E, Inner<E>>
}

type NameOf<I> =
  I extends Embedding<Resource.Any, ReadonlyArray<unknown>, infer Name, Select.Join, false> ? Name : never

type Inner<I> =
  I extends Embedding<infer E, infer S, string, Select.Join, boolean>
    ? S extends readonly []
      ? {}
      : Picked<E, S[number]>
    : never

/** One row or null where R refers to the embed, many rows where the embed refers to R. */
type Related<R extends Resource.Any, I, A> =
  I extends Embedding<infer E, ReadonlyArray<unknown>, string, infer J, boolean>
    ? Refers<R, E> extends true
      ? A | (J extends "inner" ? never : null)
      : Refers<E, R> extends true
        ? ReadonlyArray<A>
        : unknown
    : never

/** True where a column of the child holds an id of the parent, whose brand has the name of the parent. */
type Refers<Child extends Resource.Any, Parent extends Resource.Any> = true extends {
  [C in Resource.Column<Child>]: NonNullable<Resource.Row<Child>[C]> extends { readonly [BrandTypeId]: infer Brands }
    ? keyof Brands extends `${Parent["resource"]}.${string}`
      ? true
      : false
    : false
}[Resource.Column<Child>]
  ? true
  : false

/** The columns of spreads: values, or arrays where many rows are embedded. */
type Lifted<R extends Resource.Any, I> = UnionToIntersection<
  I extends Embedding<Resource.Any, ReadonlyArray<unknown>, string, Select.Join, true> ? Each<R, I, Inner<I>> : never
>

type Each<R extends Resource.Any, I, A> = { readonly [K in keyof A]: Related<R, I, A[K]> }

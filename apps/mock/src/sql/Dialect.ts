/**
 * What differs between the stores' SQL, as one record. Everything else is written once.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type { Aggregate } from "@mfgdata/domain/Select"
import type { Cast, Kind, Target } from "./read/Target.ts"
import type { Fragment, Parameter } from "./Statement.ts"

/** A column's JSON, as the store holds it. */
export interface Member {
  readonly name: string
  readonly json: Fragment
}

/** How a store aggregates. */
export interface Aggregates {
  /** What of a row is aggregated. */
  readonly value: (row: Fragment, target: Target) => Fragment
  /** What comes of such values, as JSON text. */
  readonly json: (name: Aggregate, kind: Kind, value: Fragment) => Fragment
}

export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /** How the n-th parameter is written, counted from 1. */
  readonly placeholder: (position: number) => string
  /** How many tables of a statement's own may be worked into each other; any number when it is left out. */
  readonly inlines?: number

  /** How a column of a type is declared; `undefined` where the row's document alone holds it. */
  readonly columnType: (type: Column.Type) => string | undefined
  /** How the hidden columns are declared: the row's wire JSON, and how often it was written. */
  readonly documentType: string
  readonly revisionType: string
  /** A text as unique indexes hold it: all of it, or a digest where an index takes no long text. */
  readonly indexed: (text: Fragment) => Fragment
  /** An index that finds an owner's rows by a column, however long its text is. */
  readonly index: (owners: ReadonlyArray<Fragment>, column: Fragment, key: Fragment) => Fragment
  /** What stands behind a table's columns. */
  readonly tableOptions: string

  /** A wire value as a parameter for a column of a type. */
  readonly parameter: (type: Column.Type, value: Json) => Parameter
  /** Such a parameter, brought to the type. */
  readonly typed: (type: Column.Type, parameter: Fragment) => Fragment

  /** What a target is compared as; null where nothing stands there. */
  readonly operand: (row: Fragment, target: Target) => Fragment
  /** A value that an operand of a kind can be equal to. */
  readonly constant: (kind: Kind, value: Json) => Fragment
  /** Whether the JSON object at a target equals a value, whose members have no order; null where it is null. */
  readonly equals: (row: Fragment, target: Target, value: Json) => Fragment
  /** What a target is ordered by, the most significant first; the first one is null where nothing stands there. */
  readonly sortKeys: (row: Fragment, target: Target) => ReadonlyArray<Fragment>
  /** A value that sort keys of a kind can be smaller than. */
  readonly sortConstants: (kind: Kind, value: Json) => ReadonlyArray<Fragment>
  /** Whether a target is one of some values, which are one parameter however many they are. */
  readonly among: (row: Fragment, target: Target, values: ReadonlyArray<Json>) => Fragment
  /** The same for whole numbers, as the store's own tables are numbered. */
  readonly numbered: (number: Fragment, values: ReadonlyArray<number>) => Fragment
  readonly like: (text: Fragment, pattern: string, foldCase: boolean) => Fragment
  /** `expression` as `Pattern.toRegExp` prints it. */
  readonly matches: (text: Fragment, expression: string, foldCase: boolean) => Fragment
  /** Whether a list or JSON holds a value, is held by it, or shares an element with it; null where it is null. */
  readonly contains: (row: Fragment, target: Target, value: Json) => Fragment
  readonly containedBy: (row: Fragment, target: Target, value: Json) => Fragment
  readonly overlaps: (row: Fragment, target: Target, values: ReadonlyArray<Json>) => Fragment

  /** The wire JSON of a whole row. */
  readonly document: (row: Fragment) => Fragment
  /** The wire JSON of what stands at a target, `null` written out. */
  readonly json: (row: Fragment, target: Target) => Fragment
  /** The same after a cast; SQL's null when the value cannot be cast. */
  readonly cast: (row: Fragment, target: Target, cast: Cast) => Fragment
  /** A document whose members of these names are replaced. */
  readonly replace: (document: Fragment, members: ReadonlyArray<Member>) => Fragment
  /** A value as JSON inside the store. */
  readonly literal: (value: Json) => Fragment
  /** A number that the store has computed, as JSON inside the store. */
  readonly computed: (number: Fragment) => Fragment
  readonly aggregates: Aggregates
  /** An aggregate: texts with a separator between them, in the order of the rows unless another one is given. */
  readonly concatenate: (text: Fragment, separator: Fragment, order?: Fragment) => Fragment
  /**
   * Behind a query: keeps others from changing its rows of this name until the change is over. It waits for rows that
   * another change has, or skips them.
   */
  readonly lock: (row: Fragment, whenTaken?: "wait" | "skip") => Fragment
  /**
   * A `FROM` item of many documents, which are one parameter: `"given"` has each as `"document"` and its number as
   * `"place"`, `"row"` has some of its columns. Undefined where a statement writes one row.
   */
  readonly unpack:
    | ((columns: ReadonlyArray<Pick<Column.Column, "name" | "type">>, documents: ReadonlyArray<JsonObject>) => Fragment)
    | undefined
  /** A `FROM` item `"row"` of some columns of many rows, which are one parameter. */
  readonly records: (
    columns: ReadonlyArray<Pick<Column.Column, "name" | "type">>,
    rows: ReadonlyArray<{ readonly [column: string]: Json }>
  ) => Fragment
  /** A `FROM` item of the texts of a list, in a column `value`. */
  readonly each: (texts: ReadonlyArray<string>, alias: string) => Fragment
}

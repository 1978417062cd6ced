/**
 * The interface of a SQL dialect: the differences between SQLite and PostgreSQL.
 */
import type * as Column from "@mfgdata/domain/Column"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import type { Aggregate } from "@mfgdata/domain/Select"
import type { Cast, Kind, Target } from "./read/Target.ts"
import type { Fragment, Parameter } from "./Statement.ts"

/** A member of a document: its name, and its value as JSON of the database. */
export interface Member {
  readonly name: string
  readonly json: Fragment
}

/** The aggregate functions of a dialect. */
export interface Aggregates {
  /** The value of a row that is aggregated. */
  readonly value: (row: Fragment, target: Target) => Fragment
  /** The aggregate of such values, as JSON text. */
  readonly json: (name: Aggregate, kind: Kind, value: Fragment) => Fragment
}

export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /** The placeholder of the n-th parameter, counted from 1. */
  readonly placeholder: (position: number) => string
  /** The maximum number of inline tables in the body of an inline table (default: unlimited). */
  readonly inlines?: number

  /** The SQL type of a column; `undefined` when only the row's document contains its values. */
  readonly columnType: (type: Column.Type) => string | undefined
  /** The SQL types of the hidden columns: the row's wire JSON, and its revision. */
  readonly documentType: string
  readonly revisionType: string
  /** The declaration of the hidden column that numbers rows in the order of creation, and the keyword of the key. */
  readonly sequenceType: string
  readonly keyConstraint: "PRIMARY KEY" | "UNIQUE"
  /** The definition of an index that returns an owner's rows in the order of creation. */
  readonly sequenceIndex: (owners: ReadonlyArray<Fragment>, sequence: Fragment) => Fragment
  /** The definition of an index of the sizes of large documents; undefined where nothing reads it. */
  readonly sizeIndex: ((document: Fragment) => Fragment) | undefined
  /** The form of a text in a unique index: the text itself, or a digest where an index entry has a maximum length. */
  readonly indexed: (text: Fragment) => Fragment
  /** The definition of an index that finds an owner's rows by a column, whose text may be of any length. */
  readonly index: (owners: ReadonlyArray<Fragment>, column: Fragment) => Fragment
  /** The options after the column list of CREATE TABLE. */
  readonly tableOptions: string

  /** Converts a wire value to a parameter for a column of a type. */
  readonly parameter: (type: Column.Type, value: Json) => Parameter
  /** Casts such a parameter to the type. */
  readonly typed: (type: Column.Type, parameter: Fragment) => Fragment

  /** The operand of a comparison at a target; null when the target does not exist. */
  readonly operand: (row: Fragment, target: Target) => Fragment
  /** A constant that an operand of a kind can be compared with. */
  readonly constant: (kind: Kind, value: Json) => Fragment
  /** Compares JSON that contains objects, whose members have no order; null when the target is null. */
  readonly equals: (row: Fragment, target: Target, value: Json) => Fragment
  /** The sort keys of a target, the most significant first; the first one is null when the target does not exist. */
  readonly sortKeys: (row: Fragment, target: Target) => ReadonlyArray<Fragment>
  /** The sort keys of a constant, to compare with those of a target. */
  readonly sortConstants: (kind: Kind, value: Json) => ReadonlyArray<Fragment>
  /** Tests for one of several values, which are sent as one parameter. */
  readonly among: (row: Fragment, target: Target, values: ReadonlyArray<Json>) => Fragment
  /** Tests for one of several whole numbers, which are sent as one parameter. */
  readonly numbered: (number: Fragment, values: ReadonlyArray<number>) => Fragment
  readonly like: (text: Fragment, pattern: string, foldCase: boolean) => Fragment
  /** Matches an expression that `Pattern.toRegExp` has printed. */
  readonly matches: (text: Fragment, expression: string, foldCase: boolean) => Fragment
  /** The operators `@>`, `<@` and `&&` on a list or JSON; null when the target is null. */
  readonly contains: (row: Fragment, target: Target, value: Json) => Fragment
  readonly containedBy: (row: Fragment, target: Target, value: Json) => Fragment
  readonly overlaps: (row: Fragment, target: Target, values: ReadonlyArray<Json>) => Fragment

  /** The wire JSON of a whole row. */
  readonly document: (row: Fragment) => Fragment
  /** The wire JSON of the value at a target; the text `null` when the value is null. */
  readonly json: (row: Fragment, target: Target) => Fragment
  /** The wire JSON of the value at a target after a cast; SQL's null when the value cannot be cast. */
  readonly cast: (row: Fragment, target: Target, cast: Cast) => Fragment
  /** A text as a JSON string. */
  readonly quote: (text: Fragment) => Fragment
  /** Replaces members of a document. */
  readonly replace: (document: Fragment, members: ReadonlyArray<Member>) => Fragment
  /** A constant as JSON of the database. */
  readonly literal: (value: Json) => Fragment
  /** A computed number as JSON of the database. */
  readonly computed: (number: Fragment) => Fragment
  readonly aggregates: Aggregates
  /** Aggregates texts with a separator between them, in the order of the rows (default) or in a given order. */
  readonly concatenate: (text: Fragment, separator: Fragment, order?: Fragment) => Fragment
  /**
   * The clause after a query that locks its rows until the transaction ends. It waits for rows that another transaction
   * has locked, or skips them.
   */
  readonly lock: (row: Fragment, whenTaken?: "wait" | "skip") => Fragment
  /**
   * Ends a change, to be tried again, unless a query finds a row; null otherwise. Undefined where changes run one after
   * the other, and a statement sees every committed row.
   */
  readonly retryUnless: ((query: Fragment) => Fragment) | undefined
  /**
   * A `FROM` item of many documents, which are sent as one parameter: `"given"` has the columns `"document"` and
   * `"place"` (its index), `"row"` has some columns of the document. Undefined when each statement writes one row.
   */
  readonly unpack:
    | ((columns: ReadonlyArray<Pick<Column.Column, "name" | "type">>, documents: ReadonlyArray<JsonObject>) => Fragment)
    | undefined
  /**
   * A `FROM` item `"given"` of rows that the change has staged, from one place up to another: the columns have the given
   * names, and `"place"` is the index of the row. Undefined where one parameter contains many rows.
   */
  readonly staged: ((columns: ReadonlyArray<string>, from: number, to: number) => Fragment) | undefined
  /** A `FROM` item `"row"` of some columns of many rows, which are sent as one parameter. */
  readonly records: (
    columns: ReadonlyArray<Pick<Column.Column, "name" | "type">>,
    rows: ReadonlyArray<{ readonly [column: string]: Json }>
  ) => Fragment
  /** A `FROM` item of texts in a column `value`. */
  readonly each: (texts: ReadonlyArray<string>, alias: string) => Fragment
}

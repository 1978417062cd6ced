/**
 * The write to a store as data: statements of one transaction, and the function that makes a result of their rows.
 */
import type * as Either from "effect/Either"
import type { OwnedTable } from "./Owner.ts"
import type { Parameter, Statement, Value } from "./Statement.ts"

/** The rows that a statement returned, each a list of plain values. */
export type Rows = ReadonlyArray<ReadonlyArray<Value>>

/** A violated constraint. It names columns, never values. */
export type StoreRefusal =
  | {
      readonly _tag: "Duplicate"
      readonly resource: string
      readonly columns: ReadonlyArray<string>
      readonly constraint: string
    }
  | {
      readonly _tag: "ParentMissing"
      readonly resource: string
      readonly column: string
      readonly parent: string
      readonly field: string
    }
  | {
      readonly _tag: "StillReferenced"
      readonly resource: string
      readonly field: string
      readonly child: string
      readonly column: string
    }
  | { readonly _tag: "CheckFailed"; readonly resource: string; readonly check: string }
  /** A value was given for a column that the service sets, and it is not the value that the service sets. */
  | { readonly _tag: "FieldSetByService"; readonly column: string; readonly writing: "insert" | "update" }
  /** The key may not read the table of a webhook whose address it changes. */
  | { readonly _tag: "WebhookUnreadable" }
  /** The company has as much as its quota allows. `used` is the amount before the change. */
  | {
      readonly _tag: "QuotaExceeded"
      readonly quota: "rows" | "bytes" | "webhooks"
      readonly limit: number
      readonly used: number
    }
  /** The row does not have the revision that the caller expects. */
  | { readonly _tag: "PreconditionFailed" }
  /** The filter of a change matches more rows than one change may have. */
  | { readonly _tag: "ChangeTooLarge"; readonly limit: number }
  /** The rows of a change, times the webhooks that have subscribed to them, are more than one change may have. */
  | { readonly _tag: "TooManyDeliveries"; readonly limit: number; readonly count: number }

/**
 * One statement of a change. Each step sees the effects of the steps before it.
 *
 * - `Run` returns rows for `resolve`.
 * - `Publish` writes events to the outbox, and its rows are not a result. If it returns any, the `Enqueue` after it runs,
 *   and the store notifies its subscribers once the change is durable.
 * - `Enqueue` creates the deliveries of the events, of all or of those within a range of the outbox.
 * - `Count` returns the number of deliveries in one row, and refuses the whole change if it exceeds the limit. One that is
 *   of events counts those that are published, and need not run without any.
 * - `Guard` refuses the whole change if its statement returns a row.
 * - `Unsubscribed` takes the place of the steps that write events. If its statement returns a row, a webhook has
 *   subscribed after all: nothing is changed, and the store applies the change with the other steps.
 *
 * A store may combine the steps into one statement if every `Run` and `Publish` declares how many columns it returns and
 * only `Enqueue` and `Count` depend on the effects of another step; these find the published events under the name of the
 * outbox. A `Run` that needs the rows of another has to select them itself, before they change.
 */
export type Step =
  | { readonly _tag: "Run"; readonly statement: Statement; readonly returns?: number }
  /** It returns rows of the outbox with the names of its columns, or a number of columns that are not read. */
  | { readonly _tag: "Publish"; readonly statement: Statement; readonly returns?: number | "events" }
  | {
      readonly _tag: "Enqueue"
      readonly statement: Statement
      readonly slice: (first: number, last: number) => Statement
    }
  | {
      readonly _tag: "Count"
      readonly statement: Statement
      readonly limit: number
      readonly isOfEvents?: boolean
    }
  | { readonly _tag: "Guard"; readonly statement: Statement; readonly refusal: StoreRefusal }
  | {
      readonly _tag: "Unsubscribed"
      readonly statement: Statement
      readonly owned: OwnedTable
      readonly otherwise: () => ReadonlyArray<Step>
    }

/** Makes a change happen once, however often it is requested. */
export interface Idempotency<A, E> {
  /** The name of the change. Changes of the same name wait for each other. */
  readonly name: string
  /** Loads the saved outcome, one row at most. It runs before the steps. */
  readonly load: Statement
  /** The result that is returned for that row, in place of the change. */
  readonly replay: (row: ReadonlyArray<Value>) => Either.Either<A, E>
  /**
   * Saves the outcome in the transaction of the change. A refusal is not saved. It is a method so that a change with
   * a narrower result remains assignable to one with a wider result.
   */
  save(outcome: A): Statement
}

/** The request that makes a change, for the history. */
export interface Origin {
  readonly requestId: string | null
  /** The method and the path. */
  readonly request: string | null
  /** The name of the key. */
  readonly apiKey: string | null
  readonly userId: string | null
}

/**
 * Steps, and the result of their rows.
 *
 * `resolve` receives the rows of each `Run` in order, and may still refuse the change, which undoes it: for a number of
 * rows that was not requested, or a dry run. With `isFinal` it promises not to throw, and to refuse only if the steps have
 * changed nothing: the store then need not hold the transaction open for it.
 */
export interface Change<A, E> {
  /** The company of the caller, if there is one: stores divide their time and connections between companies. */
  readonly companyId?: string
  /** The request that makes the change; undefined for the service itself. */
  readonly origin?: Origin | undefined
  readonly steps: ReadonlyArray<Step>
  /** Rows that are copied into the staging table before the transaction. Steps read them with `Dialect.staged`. */
  readonly staged?: ReadonlyArray<ReadonlyArray<Parameter>> | undefined
  /** Makes one more statement of the rows of the steps. Its rows are the last of the results. */
  readonly followUp?: ((results: ReadonlyArray<Rows>) => Statement) | undefined
  readonly isFinal?: boolean
  /** Set when the steps take long, although they may be few. */
  readonly isLong?: boolean | undefined
  readonly resolve: (results: ReadonlyArray<Rows>) => Either.Either<A, E>
  readonly idempotency?: Idempotency<A, E> | undefined
}

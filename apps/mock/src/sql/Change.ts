/**
 * A write as data: statements that happen together or not at all, and what they amount to.
 */
import type * as Either from "effect/Either"
import type { Statement, Value } from "./Statement.ts"

/** What a statement returned: plain values, row by row. */
export type Rows = ReadonlyArray<ReadonlyArray<Value>>

/** A constraint said no. It names columns, never values. */
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
  /** A column that the service sets holds another value, or would in a new row. */
  | { readonly _tag: "FieldSetByService"; readonly column: string; readonly writing: "insert" | "update" }
  /** The row is not in the state that the caller knows. */
  | { readonly _tag: "PreconditionFailed" }

/**
 * A guard whose statement returns a row refuses the whole change. What a `Tell` returns is no result, but says that
 * there is something to deliver: then the `Deliver` after it is needed, and whoever listens to the store is told once
 * all of it is durable.
 *
 * Each step sees what those before it have done. Where all that run and tell say how many columns they return, none but
 * the `Deliver` depends on that, and a store may make one statement of them: it finds what was told under the name of
 * the outbox. The rows of any other step are had by asking for them the same way before they are changed.
 */
export type Step =
  | { readonly _tag: "Run"; readonly statement: Statement; readonly returns?: number }
  /** What it returns are rows of the outbox by their names, or a number of columns that nobody reads. */
  | { readonly _tag: "Tell"; readonly statement: Statement; readonly returns?: number | "events" }
  | { readonly _tag: "Deliver"; readonly statement: Statement }
  | { readonly _tag: "Guard"; readonly statement: Statement; readonly refusal: StoreRefusal }

/** What makes a change happen once, however often it is asked for. */
export interface Memory<A, E> {
  /** What is asked for once: changes of one name wait for each other. */
  readonly name: string
  /** Finds what came of the change before, in one row at most; asked first of all. */
  readonly recall: Statement
  /** What that row amounts to, in place of the change. */
  readonly recognize: (row: ReadonlyArray<Value>) => Either.Either<A, E>
  /**
   * Remembers what comes of the change, together with it. A refusal is not remembered. A method, so that a change
   * which answers more is still one which answers less.
   */
  record(outcome: A): Statement
}

/**
 * `settle` sees the rows of each `Run` in order, and may still refuse (a cardinality that was asked for, a dry run),
 * which undoes them. With `isFinal` it promises to refuse only where they have done nothing, and not to throw: a store
 * need not keep them back for it, and one that makes each statement durable by itself cannot take them back.
 */
export interface Change<A, E> {
  readonly steps: ReadonlyArray<Step>
  /** Asks for more once the steps are done and their rows known; what it is answered comes last among the results. */
  readonly follow?: ((results: ReadonlyArray<Rows>) => Statement) | undefined
  readonly isFinal?: boolean
  readonly settle: (results: ReadonlyArray<Rows>) => Either.Either<A, E>
  readonly memory?: Memory<A, E> | undefined
}

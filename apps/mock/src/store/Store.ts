/**
 * The one effectful seam under the rows: statements in, plain values out. It knows no HTTP and no resource's rules.
 */
import type * as Effect from "effect/Effect"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { Change, Rows, StoreRefusal } from "../sql/Change.ts"
import type { Dialect } from "../sql/Dialect.ts"
import type { Statement } from "../sql/Statement.ts"

/** The store cannot answer now. Nothing of the change is kept. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{
  readonly reason: "Overloaded" | "CommitFailed" | "ConnectionLost" | "Closed"
  readonly retryAfterSeconds: number
}> {
  override get message() {
    return `the store cannot answer now (${this.reason})`
  }
}

/** A constraint refused a change. */
export class Refused extends Data.TaggedError("Refused")<{ readonly refusal: StoreRefusal }> {}

export class Store extends Context.Tag("@mfgdata/mock/Store")<
  Store,
  {
    readonly dialect: Dialect
    /** On the embedded store the answer is an `Exit` already, so that no fiber is needed to have it. */
    readonly read: (statement: Statement) => Effect.Effect<Rows, StoreUnavailable>
    /** Answers when the change is durable. An interrupted caller does not take back what was accepted. */
    readonly change: <A, E>(change: Change<A, E>) => Effect.Effect<A, E | Refused | StoreUnavailable>
  }
>() {}

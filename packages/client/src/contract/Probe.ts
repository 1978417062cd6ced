/**
 * A probe: a request whose responses are compared. Its name is the same for all resources and services, and its request
 * holds the values of one service.
 */
import type { Json } from "@mfgdata/domain/Json"
import type * as Ask from "./Ask.ts"
import type { ConstraintKind } from "./Difference.ts"

/** The kinds of requests by which the score is kept. */
export const verbs = [
  "describe",
  "list",
  "retrieve",
  "head",
  "options",
  "create",
  "update",
  "upsert",
  "delete",
  "operation"
] as const
export type Verb = (typeof verbs)[number]

/** The success that the contract states, or that the client relies on. */
export interface Expectation {
  readonly outcome: "success" | "failure"
  /** The statuses of a failure by which the client knows its error; any status from 400 without them. */
  readonly statuses?: ReadonlyArray<number>
}

export interface Probe {
  /** Such as `list.limit`. */
  readonly name: string
  readonly verb: Verb
  readonly request: Ask.Request
  /** Values of the request that differ between services, such as keys; comparisons leave them out. */
  readonly values?: ReadonlyArray<string>
  /** The parts of the response that are rows of the resource. */
  readonly reads?: "rows"
  /** The rows that the response has are known: the request names the key. */
  readonly isOfKnownRows?: true
  /** The order of the rows to check. */
  readonly order?: { readonly column: string; readonly direction: "asc" | "desc"; readonly isTime: boolean }
  /** The columns that each row has to have, and no other. */
  readonly columns?: ReadonlyArray<string>
  readonly expect?: Expectation
  /** The value that the request writes, whose form the response may change. */
  readonly written?: { readonly column: string; readonly value: Json }
  /** The rule that a refusal of the request shows. */
  readonly constraint?: { readonly kind: ConstraintKind; readonly columns: ReadonlyArray<string> }
}

/** A text that no row has. */
export const absent = "mfg-compare-absent"

/** A column that no resource has. */
export const unknownColumn = "mfgCompareUnknown"

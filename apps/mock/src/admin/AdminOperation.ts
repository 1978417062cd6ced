/**
 * What can be said of any operation of an administrator's.
 */
import type * as Schema from "effect/Schema"

export interface Operation {
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the mount; `:id` stands for a part that the request's field of this name fills. */
  readonly path: string
  readonly status: 200 | 201
  readonly request: Schema.Schema.AnyNoContext
  readonly response: Schema.Schema.AnyNoContext
}

/**
 * The verdict on a request with a body, by its headers alone: a transport reads the body only after it.
 */
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"

/** The maximum size of the body of an operation, whose caller is a user or an administrator. It is parsed in one piece. */
export const operationBytes: number = 256 * 1024

/** The refusal of a larger body. */
export const tooLarge: RowError = { _tag: "BodyTooLarge", limit: operationBytes, isOperation: true }

export type Admission =
  | {
      readonly _tag: "Admitted"
      readonly companyId: string
      /** The maximum size of the body, if it is not that of a body with rows. */
      readonly most?: number
    }
  /** The response does not depend on the body, which need not be kept. */
  | { readonly _tag: "BodyIgnored" }
  | { readonly _tag: "Refused"; readonly response: Exchange.Response }

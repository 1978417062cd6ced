/**
 * The verdict on a request with a body, by its headers alone: a transport reads the body only after it.
 */
import type * as Exchange from "../Exchange.ts"

export type Admission =
  | { readonly _tag: "Admitted"; readonly companyId: string }
  /** The response does not depend on the body, which need not be kept. */
  | { readonly _tag: "BodyIgnored" }
  | { readonly _tag: "Refused"; readonly response: Exchange.Response }

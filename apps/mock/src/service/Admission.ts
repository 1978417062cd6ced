/**
 * The verdict on a request with a body, by its headers alone: a transport reads the body only after it.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Exchange from "../Exchange.ts"
import type { RowError } from "../rows/RowError.ts"

/** The maximum size of the body of an operation, whose caller is a user or an administrator. It is parsed in one piece. */
export const operationBytes: number = 256 * 1024

/** The refusal of a larger body. */
export const tooLarge: RowError = { _tag: "BodyTooLarge", limit: operationBytes, isOperation: true }

/** Reports whether the body of a request may be the file of a world. */
export const isImport = ({ method }: Exchange.Request, path: string): boolean =>
  method === "POST" && path === AdminApi.mount + AdminApi.operations.importWorld.path

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

/** The admission of the administrator, who belongs to no company. The file of a world has the bound of a body with rows. */
export const ofAdministrator = (request: Exchange.Request, path: string): Admission => ({
  _tag: "Admitted",
  companyId: "",
  ...(isImport(request, path) ? {} : { most: operationBytes })
})

/** The admission of a request whose body is not read. */
export const ignored: Exit.Exit<Admission> = Exit.succeed({ _tag: "BodyIgnored" })

/** The part of a service that transports use. */
export interface RequestHandler {
  readonly handle: Exchange.Handler
  /** Judges a request with a body by its headers; its body is not looked at. */
  readonly admit: (request: Exchange.Request) => Effect.Effect<Admission>
  /** The company of the key in headers, if the key was verified just before. */
  readonly companyOf?: (headers: Exchange.Headers) => string | undefined
  /** Counts a connection that the transport closes without a request. */
  readonly dropped?: () => void
  /** Responds to a request that the transport refuses. */
  readonly refuse: (request: Exchange.Request, error: RowError) => Exchange.Response
}

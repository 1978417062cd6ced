/**
 * The transport of a `Rows`, for requests that its methods do not have.
 */
import type { Service } from "../Rows.ts"
import type { Transport } from "./Transport.ts"

/** The transport of a service, which its type does not show; none of one that was not made by `Rows.make`. */
export const find = (service: Service & { readonly transport?: Transport }): Transport | undefined => service.transport

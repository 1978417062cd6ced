/**
 * Reads the target of a request: the interface that its path belongs to, and its query.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type * as Exchange from "../Exchange.ts"
import type { Subject } from "../faults/FaultMatch.ts"
import type * as RowRequest from "../rows/request/RowRequest.ts"
import * as ConsoleAssets from "./console/ConsoleAssets.ts"
import * as WebhookSecretRoute from "../webhooks/WebhookSecretRoute.ts"
import { operations } from "./ErrorResponse.ts"

/** The target of a request. */
export interface Destination {
  readonly path: string
  /** The query as sent, without its `?`. */
  readonly search: string
}

export interface RowMount {
  readonly mount: string
  readonly shape: RowRequest.Shape
}

/** The paths of the row interface; the longer one must match first. */
const rowMounts: ReadonlyArray<RowMount> = [
  { mount: "/rest/v1", shape: "postgrest" },
  { mount: "/rest", shape: "contract" }
]

export const metrics = "/metrics"

export const adminMount = `${AdminApi.mount}/`

const isWithin = (path: string, mount: string): boolean =>
  path.startsWith(mount) && (path.length === mount.length || path[mount.length] === "/")

/** Removes a trailing slash, except from a mount that ends in one. */
const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith("/") && path !== adminMount && path !== operations ? path.slice(0, -1) : path

export const fromRequest = ({ target }: Exchange.Request): Destination => {
  const end = target.indexOf("?")
  return end === -1
    ? { path: withoutSlash(target), search: "" }
    : { path: withoutSlash(target.slice(0, end)), search: target.slice(end + 1) }
}

/** The `resource` label of a request in the metrics: one of a fixed set, so that paths cannot add series. */
export const resourceOf = (path: string): string => {
  const mount = rowMountOf(path)
  if (mount !== undefined) {
    const name = path.slice(mount.mount.length + 1)
    return Catalogue.find(name) === undefined ? "unknown" : name
  }
  if (path.startsWith(operations)) return "operations"
  return path.startsWith(adminMount) ? "control" : "other"
}

/** The path of a request with a small number of values, if it has one. */
export const routeOf = (path: string, status: number): string | undefined => {
  switch (resourceOf(path)) {
    case "unknown":
      return undefined
    case "control":
      return AdminApi.mount
    case "operations":
      return status === 404 ? undefined : path
    case "other":
      return path.startsWith(WebhookSecretRoute.mount)
        ? `${WebhookSecretRoute.mount}{id}/secret`
        : ConsoleAssets.isWithin(path)
          ? ConsoleAssets.mount
          : status < 400
            ? path
            : undefined
    default:
      return path
  }
}

/** The mount of the row interface that a path is within. */
export const rowMountOf = (path: string): RowMount | undefined => rowMounts.find(({ mount }) => isWithin(path, mount))

/** The subject of a request; undefined for requests of the administrator and for the console, which have no faults. */
export const faultSubject = (
  request: Exchange.Request,
  { path }: Destination,
  key: Subject["key"]
): Subject | undefined => {
  if (path.startsWith(adminMount) || ConsoleAssets.isWithin(path)) return undefined
  const mount = rowMountOf(path)
  const name = mount === undefined ? undefined : path.slice(mount.mount.length + 1)
  const resource = name === undefined ? undefined : (Catalogue.find(name)?.resource ?? name)
  const operation = path.startsWith(operations) ? path.slice(operations.length).replaceAll("/", ".") : undefined
  return { request, path, resource, operation, key }
}

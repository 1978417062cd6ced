/**
 * The operations as plain data, those of the administrator and of the account: the build evaluates this module, so its
 * exports must be JSON.
 */
import * as AdminApi from "@mfgdata/client/AdminApi"
import * as ServiceAddress from "@mfgdata/client/ServiceAddress"
import * as Account from "@mfgdata/domain/Account"
import * as Attribute from "@mfgdata/domain/Attribute"
import * as Scope from "@mfgdata/domain/Scope"

/** The part of an operation that a request on the wire needs. */
export interface WireOperation {
  readonly method: AdminApi.Operation["method"]
  readonly path: string
  readonly upload?: string | undefined
  readonly download?: string | undefined
}

const toWire = ({ download, method, path, upload }: AdminApi.Operation): WireOperation => ({
  method,
  path,
  upload,
  download
})

// A record of the same names.
export const operations = Object.fromEntries(
  Object.entries(AdminApi.operations).map(([name, operation]) => [name, toWire(operation)])
) as { readonly [N in AdminApi.Name]: WireOperation }

/** The operations on worlds, which take no `world` parameter. */
export const onWorlds: ReadonlyArray<AdminApi.Name> = AdminApi.names.filter(AdminApi.isOnWorlds)

export const mount: string = AdminApi.mount

/** The sets of fault rules that every service has. */
export const faultSets: ReadonlyArray<string> = AdminApi.readySets

/** The path above the operations of the account. */
export const accountMount: string = `${ServiceAddress.fromOrigin("").baseUrl}/account`

/** The types of attributes, which the service numbers from 1. */
export const valueTypes = Object.keys(Attribute.valueTypes) as ReadonlyArray<Attribute.ValueType>

/** The actions that the scopes of a key allow, on rows and on the account. */
export const actions: ReadonlyArray<string> = Scope.actions
export const accountActions: ReadonlyArray<string> = Scope.accountActions

/** The topics and the channels of notifications. */
export const topics: ReadonlyArray<string> = Account.NotificationTopic.known
export const channels: typeof Account.NotificationChannel.known = Account.NotificationChannel.known

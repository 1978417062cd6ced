/**
 * The types of worlds, after the operations that return them.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

export type WorldInfo = AdminApi.Response<"getWorld">
export type WorldDiff = AdminApi.Response<"diffWorlds">

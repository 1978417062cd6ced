/**
 * A key in the list: its state, and its relation to the session.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import * as Session from "../../session/Session.ts"

export type KeyRecord = AdminApi.Response<"listKeys">[number]

/** A key with its secret part, which one response contains. */
export type IssuedKey = AdminApi.Response<"createKey">

export type KeyState = "active" | "expired" | "revoked"

/** The state of a key at a moment. */
export const stateOf = (
  { expiresAt, revokedAt }: Pick<KeyRecord, "expiresAt" | "revokedAt">,
  now: number = Date.now()
): KeyState =>
  revokedAt !== null && Date.parse(revokedAt) <= now
    ? "revoked"
    : expiresAt !== null && Date.parse(expiresAt) <= now
      ? "expired"
      : "active"

/** Reports whether the session may use this key: the list has its first characters only. */
export const isOfSession = ({ preview }: Pick<KeyRecord, "preview">): boolean => {
  const { value } = Session.current
  return value._tag !== "SignedOut" && value.keys.apiKey?.startsWith(preview.replace(/\.+$/, "")) === true
}

/**
 * Finds out which keys a text is: an API key, the administrator's key, or none. Exchanges the one-time token of the
 * address that a start prints.
 */
import type { Keys } from "./Session.ts"
import { mount } from "../service/operations.derived.ts"

/** The result of a check, with the reason of a refusal. */
export type Verdict =
  | { readonly _tag: "Accepted"; readonly keys: Partial<Keys> }
  | { readonly _tag: "Refused"; readonly message: string }

const statusOf = async (
  target: string,
  key: string
): Promise<{ readonly status: number; readonly message: string }> => {
  const response = await fetch(target, { headers: { Authorization: `Bearer ${key}` }, cache: "no-store" })
  const text = await response.text()
  try {
    const body: unknown = JSON.parse(text)
    const message = typeof body === "object" && body !== null && "message" in body ? String(body.message) : ""
    return { status: response.status, message }
  } catch {
    return { status: response.status, message: "" }
  }
}

const unreachable: Verdict = { _tag: "Refused", message: "The service did not answer." }

/** Checks a key. */
export const verify = async (key: string): Promise<Verdict> => {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { _tag: "Refused", message: "A key has visible ASCII characters without spaces." }
  }
  try {
    const [admin, rows] = await Promise.all([statusOf(`${mount}/clock`, key), statusOf("/rest/holiday?limit=0", key)])
    const isApiKey = rows.status !== 401
    // Without an administrator's key the service does not know the path.
    const isAdminKey = admin.status === 200
    if (!isApiKey && !isAdminKey) return { _tag: "Refused", message: `The service refused this key: ${rows.message}` }
    return {
      _tag: "Accepted",
      keys: { ...(isApiKey ? { apiKey: key } : {}), ...(isAdminKey ? { adminKey: key } : {}) }
    }
  } catch {
    return unreachable
  }
}

/** Exchanges a one-time token for keys. */
export const redeem = async (token: string): Promise<Verdict> => {
  try {
    const response = await fetch("/console/sign-in", {
      method: "POST",
      headers: { "Mfg-Sign-In": token },
      cache: "no-store"
    })
    const body: { readonly apiKey?: string | null; readonly adminKey?: string | null; readonly message?: string } =
      await response.json()
    if (!response.ok) return { _tag: "Refused", message: body.message ?? "" }
    return {
      _tag: "Accepted",
      keys: { apiKey: body.apiKey ?? undefined, adminKey: body.adminKey ?? undefined }
    }
  } catch {
    return unreachable
  }
}

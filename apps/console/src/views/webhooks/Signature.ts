/**
 * Checks the signature of an attempt after Standard Webhooks, as a receiver does, with the secret of the webhook.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"

export type Verdict =
  | { readonly _tag: "Valid"; readonly at: string }
  | { readonly _tag: "Invalid" }
  | { readonly _tag: "HeaderMissing"; readonly header: string }

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

/** Checks an attempt that sent a body. */
export const check = async (
  secret: string,
  { requestHeaders }: AdminApi.DeliveryAttempt,
  body: string
): Promise<Verdict> => {
  const headers = new Map(Object.entries(requestHeaders).map(([name, value]) => [name.toLowerCase(), value]))
  const missing = names.find((name) => !headers.has(name))
  if (missing !== undefined) return { _tag: "HeaderMissing", header: missing }
  const [id = "", timestamp = "", signatures = ""] = names.map((name) => headers.get(name))
  const algorithm = { name: "HMAC", hash: "SHA-256" }
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace(/^whsec_/, "")), algorithm, false, ["verify"])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures.split(" ")) {
    const [version, base64 = ""] = signature.split(",", 2)
    if (version === "v1" && (await crypto.subtle.verify(algorithm, key, bytesOf(base64), signed))) {
      return { _tag: "Valid", at: new Date(Number(timestamp) * 1000).toISOString() }
    }
  }
  return { _tag: "Invalid" }
}

/**
 * Finds advice about a request without a response: its proxy, and certificates that are not trusted.
 */
import * as Certificates from "@mfgdata/shell/network/Certificates"
import * as Proxy from "@mfgdata/shell/network/Proxy"

/** The codes of certificates that no known authority has signed. */
const untrusted: ReadonlySet<unknown> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE"
])

const isUntrusted = (cause: unknown): boolean =>
  cause instanceof Error && (("code" in cause && untrusted.has(cause.code)) || isUntrusted(cause.cause))

/** The advice, if there is any. */
export const remedy = ({
  cause,
  origin
}: {
  readonly cause?: unknown
  readonly origin: string
}): string | undefined => {
  if (isUntrusted(cause)) {
    return `If the service has a certificate authority of its own, name its file by ${Certificates.flag} or ${Certificates.variable}.`
  }
  const proxy = Proxy.find(origin)
  return proxy === undefined
    ? undefined
    : `The request was sent through the proxy ${Proxy.show(proxy)}; NO_PROXY lists hosts without one.`
}

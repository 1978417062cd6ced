/**
 * Loads the certificate authorities of TLS connections: those of Node, of `NODE_EXTRA_CA_CERTS`, and of a file.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Variable from "../Variable.ts"

/** A file of certificates that cannot be used. */
export class CertificatesUnusable extends Data.TaggedError("CertificatesUnusable")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `The certificates in ${this.path} cannot be used: ${this.reason}. Expected certificates in PEM form.`
  }
}

/** The switch that names a file with more authorities. */
export const flag = "--ca"

/** The variable of Node that names a file with more authorities. */
export const variable = "NODE_EXTRA_CA_CERTS"

/** The certificates of a file. */
export const read = (path: string): Effect.Effect<ReadonlyArray<string>, CertificatesUnusable> =>
  Effect.try({
    try: () => {
      const pattern = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g
      const certificates = readFileSync(path, "utf8").match(pattern) ?? []
      if (certificates.length === 0) throw new Error("the file contains none")
      return certificates.map((certificate) => new X509Certificate(certificate).toString())
    },
    catch: (cause) => new CertificatesUnusable({ path, reason: cause instanceof Error ? cause.message : String(cause) })
  })

/** All authorities, with those of a file. */
export const authorities = (path: string): Effect.Effect<ReadonlyArray<string>, CertificatesUnusable> =>
  Effect.gen(function* () {
    const extra = Variable.read(variable)
    // A list of authorities replaces those of Node. Node warns about an unusable file, and continues without it.
    const known = extra === undefined ? [] : yield* Effect.orElseSucceed(read(extra), () => [])
    // A module of Node that is imported statically reads all of its certificates at every start.
    const { rootCertificates } = yield* Effect.promise(() => import("node:tls"))
    return [...rootCertificates, ...known, ...(yield* read(path))]
  })

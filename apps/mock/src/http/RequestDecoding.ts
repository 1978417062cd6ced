/**
 * Decodes the bodies of requests that have a `Content-Encoding`.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"

const decoders: { readonly [encoding: string]: () => Transform } = {
  gzip: zlib.createGunzip,
  "x-gzip": zlib.createGunzip,
  deflate: zlib.createInflate
}

/** The names of the encodings, as a refusal lists them. */
export const supported = ["gzip", "deflate"]

/** The encoding of a header, or undefined for none. */
export const encodingOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  const name = header.trim().toLowerCase()
  return name === "" || name === "identity" ? undefined : name
}

export const isSupported = (encoding: string): boolean => Object.hasOwn(decoders, encoding)

/** A stream that decodes an encoding, on the threads of `zlib`. */
export const make = (encoding: string): Transform | undefined => decoders[encoding]?.()

/**
 * Compresses responses for clients that accept it: small ones immediately, large ones in a stream on the threads of
 * `zlib`, so that they do not delay the event loop.
 */
import type { Transform } from "node:stream"
import * as zlib from "node:zlib"
import type * as Exchange from "../Exchange.ts"
import * as ContentEncoding from "../rows/request/ContentEncoding.ts"

/** The size from which a response is compressed: a smaller one fits in a packet anyway. */
export const minimumBytes = 1024

/** The size from which a response is compressed in a stream. Below, compression takes at most a tenth of a millisecond. */
const streamedBytes = 16 * 1024

/** As fast as gzip, and smaller. */
const brotli = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }

interface Codec {
  readonly whole: (body: Uint8Array | string) => Uint8Array
  readonly stream: () => Transform
}

/** The part of `zlib` that only newer versions of Node have, and that the types of the oldest one lack. */
interface Zstd {
  readonly zstdCompressSync: Codec["whole"]
  readonly createZstdCompress: Codec["stream"]
}

const codecs: { readonly [E in ContentEncoding.ContentEncoding]: Codec } = {
  zstd: {
    // Selected only where Node has it.
    whole: (body) => (zlib as unknown as Zstd).zstdCompressSync(body),
    stream: () => (zlib as unknown as Zstd).createZstdCompress()
  },
  br: { whole: (body) => zlib.brotliCompressSync(body, brotli), stream: () => zlib.createBrotliCompress(brotli) },
  gzip: { whole: (body) => zlib.gzipSync(body), stream: () => zlib.createGzip() }
}

/** The compressed form of a response: complete, or a stream that compresses its body. */
export interface Compressed {
  readonly headers: Exchange.Headers
  readonly body: Uint8Array | Transform
}

const vary = (value: string | undefined): string =>
  value === undefined ? "Accept-Encoding" : `${value}, Accept-Encoding`

/** Compresses a response of the minimum size as its request accepts it; undefined for one that is encoded already. */
export const compress = (
  accept: string,
  { body, headers }: Pick<Exchange.Response, "body" | "headers">
): Compressed | undefined => {
  if (headers["Content-Encoding"] !== undefined) return undefined
  const encoding = ContentEncoding.select(accept, ContentEncoding.available)
  const varied = { ...headers, Vary: vary(headers["Vary"]) }
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  if (encoding === "identity") return { headers: varied, body: bytes }
  const { ETag: tag } = headers
  const { stream, whole } = codecs[encoding]
  return {
    headers: {
      ...varied,
      "Content-Encoding": encoding,
      ...(tag === undefined ? {} : { ETag: ContentEncoding.tag(tag, encoding) })
    },
    body: bytes.length < streamedBytes ? whole(bytes) : encode(stream(), bytes)
  }
}

const encode = (encoder: Transform, body: Uint8Array): Transform => {
  encoder.end(body)
  return encoder
}

/**
 * Serves a document that is made on the first request for it, and kept compressed. Compression runs on the threads of
 * `zlib`, and no later request repeats any of the work.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { hash } from "node:crypto"
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import type * as Exchange from "../../Exchange.ts"
import * as ContentEncoding from "../request/ContentEncoding.ts"
import * as EntityTag from "../request/EntityTag.ts"

/** A document as it is made. */
export interface Content {
  readonly body: string
  readonly headers: Exchange.Headers
  /** The request headers besides `Accept-Encoding` on which the response depends. */
  readonly vary?: string
}

/** The encodings that a document is kept in, the preferred one first. */
const encodings = ["br", "gzip"] as const
type Encoding = (typeof encodings)[number] | "identity"

const [brotli, gzip] = [promisify(zlib.brotliCompress), promisify(zlib.gzip)]

/** Close to the best compression for a fortieth of its time. */
const brotliOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 9 } }

/** The responses to a document in each encoding. */
export type Prepared = { readonly [E in Encoding]: Exchange.Response }

/** The responses to a document that is there in each encoding. */
export const fromBodies = (
  bodies: { readonly [E in Encoding]: Uint8Array },
  { headers, vary }: Pick<Content, "headers" | "vary">
): Prepared => {
  const digest = hash("sha256", bodies.identity).slice(0, 32)
  const of = (body: Exchange.Response["body"], encoding: Encoding): Exchange.Response => ({
    status: 200,
    headers: {
      "Cache-Control": "no-cache",
      Vary: vary === undefined ? "Accept-Encoding" : `${vary}, Accept-Encoding`,
      ...headers,
      ...(encoding === "identity"
        ? { ETag: `"${digest}"` }
        : { ETag: ContentEncoding.tag(`"${digest}"`, encoding), "Content-Encoding": encoding })
    },
    body
  })
  return {
    identity: of(bodies.identity, "identity"),
    br: of(bodies.br, "br"),
    gzip: of(bodies.gzip, "gzip")
  }
}

const prepare = async (content: Content): Promise<Prepared> => {
  // Bytes, so that no request encodes the text again.
  const identity = Buffer.from(content.body)
  const [br, zipped] = await Promise.all([brotli(identity, brotliOptions), gzip(identity)])
  return fromBodies({ identity, br, gzip: zipped }, content)
}

const unchanged = ({ headers }: Exchange.Response): Exchange.Response => {
  const { "Content-Encoding": _encoding, "Content-Type": _type, ...rest } = headers
  return { status: 304, headers: rest, body: "" }
}

/** The response to a request for a document. */
export const respond = (prepared: Prepared, { headers, method }: Exchange.Request): Exchange.Response => {
  const response = prepared[ContentEncoding.select(headers["accept-encoding"], encodings)]
  const tags = EntityTag.parse(headers["if-none-match"])
  if (tags !== undefined && EntityTag.find(response, tags, "weak") !== undefined) return unchanged(response)
  return method === "HEAD" ? { ...response, body: "" } : response
}

/** The handler of a document. Requests that arrive while it is made wait for it. */
export const handler = (make: () => Promise<Content>): Exchange.Handler => {
  let prepared: Prepared | undefined
  let preparing: Promise<Prepared> | undefined
  return (request) => {
    if (prepared !== undefined) return Exit.succeed(respond(prepared, request))
    preparing ??= make()
      .then(prepare)
      .then((made) => (prepared = made))
      .finally(() => (preparing = undefined))
    const current = preparing
    return Effect.map(
      Effect.promise(() => current),
      (made) => respond(made, request)
    )
  }
}

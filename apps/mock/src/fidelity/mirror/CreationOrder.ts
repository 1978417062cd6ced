/**
 * Gives mirrored rows the order in which the source lists them, which is the order of their creation: they were read by
 * key, because only pages by key are complete while rows change.
 */
import type { QueryError } from "@mfgdata/client/ClientError"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import type { StoreUnavailable } from "../../store/Store.ts"
import type { MirrorTarget } from "./MirrorTarget.ts"
import type { SourceReader } from "./SourceReader.ts"

/** The order of the rows of the target: as the source lists them, or by key, where there are too many to compare. */
export type Order = "as listed" | "by key"

/** The maximum number of rows whose order is compared: the source skips more rows for each page. */
const maxRows = 200_000

/** Orders the rows of a resource, of about `rows`. `localKey` converts a key of the source to that of the target. */
export const apply = (
  resource: Resource.Any,
  rows: number,
  source: Pick<SourceReader, "listed">,
  target: Pick<MirrorTarget, "append" | "inOrder" | "known">,
  localKey: (key: string) => string
): Effect.Effect<Order, QueryError | StoreUnavailable> =>
  Effect.gen(function* () {
    if (rows > maxRows) return "by key"
    // As far as both orders are the same, rows stay; all others follow them again, in the order of the source.
    let isSame = true
    for (let offset = 0, after = 0; ;) {
      const listed = yield* source.listed(offset)
      if (listed === undefined) return "by key"
      if (listed.length === 0) return "as listed"
      offset += listed.length
      const localKeys = listed.map(localKey)
      const known = yield* target.known(resource, localKeys)
      const keys = localKeys.filter((key) => known.has(key))
      const stored = isSame ? yield* target.inOrder(resource, after, keys.length) : []
      const different = keys.findIndex((key, index) => stored[index]?.[0] !== key)
      isSame = different < 0
      after = stored.at(-1)?.[1] ?? after
      if (!isSame) yield* target.append(resource, keys.slice(different))
    }
  })

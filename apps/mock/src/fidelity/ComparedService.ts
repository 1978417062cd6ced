/**
 * A side of a comparison: the addresses of a service, and the way to send requests to it.
 */
import type * as Ask from "@mfgdata/client/contract/Ask"
import type * as Redacted from "effect/Redacted"
import type { LeftOut } from "./Source.ts"

export interface ComparedService<E> {
  readonly name: string
  readonly restUrl: string
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
  readonly ask: Ask.Ask<E>
  /** The resources that the key may not read. */
  readonly leftOut: ReadonlyArray<LeftOut>
}

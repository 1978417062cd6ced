/**
 * Finds the facts that the service behaves by: given ones, those of a file, or those of the public system.
 */
import * as Facts from "@mfgdata/domain/Facts"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { readFile } from "node:fs/promises"
import type { FactsSource } from "../Settings.ts"
import { publicSystem } from "./publicSystem.ts"
import * as Reason from "../Reason.ts"

/** A file of facts that cannot be read. */
class FactsUnreadable extends Data.TaggedError("FactsUnreadable")<{
  readonly path: string
  readonly cause: unknown
}> {
  override get message() {
    const { cause, path } = this
    return (
      `The facts file ${path} cannot be read: ${Reason.ofCause(cause)}. ` +
      `Give a file that "mfg-mock compare --learn" has written, or public-system.`
    )
  }
}

export type FactsError = Facts.FactsInvalid | FactsUnreadable

/** Reads and checks the facts. */
export const read = (source: FactsSource): Effect.Effect<Facts.Facts, FactsError> => {
  switch (source._tag) {
    case "PublicSystem":
      return Facts.check(publicSystem)
    case "Given":
      return Facts.check(source.facts)
    case "File":
      return Effect.flatMap(
        Effect.tryPromise({
          try: () => readFile(source.path, "utf8"),
          catch: (cause) => new FactsUnreadable({ path: source.path, cause })
        }),
        (text) => Facts.parse(source.path, text)
      )
  }
}

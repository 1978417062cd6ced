/**
 * A part of the query language that fake rows do not support.
 */
import * as Data from "effect/Data"

export class FakeUnsupported extends Data.TaggedError("FakeUnsupported")<{ readonly feature: string }> {
  override get message(): string {
    return `Fake rows do not support ${this.feature}`
  }
}

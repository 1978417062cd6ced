/**
 * The calls of the model test as data, which can be printed, and repeated without some of them.
 */
import * as fc from "effect/FastCheck"

/** A call. `row` selects one of the rows that were ever created; its remainder counts. */
export type ModelCommand =
  | { readonly _tag: "Create" }
  | { readonly _tag: "CreateMany"; readonly count: number }
  | { readonly _tag: "Update"; readonly row: number }
  /** Changes a version of the row: the current one, or one that has changed since. */
  | { readonly _tag: "UpdateVersion"; readonly row: number; readonly isStale: boolean }
  /** Appends to the name of the row. */
  | { readonly _tag: "Modify"; readonly row: number }
  | { readonly _tag: "Upsert"; readonly row: number }
  | { readonly _tag: "Remove"; readonly row: number }
  | { readonly _tag: "RemoveVersion"; readonly row: number; readonly isStale: boolean }
  | { readonly _tag: "Retrieve"; readonly row: number }
  | { readonly _tag: "Find"; readonly row: number }
  | { readonly _tag: "List" }
  | { readonly _tag: "Count" }
  | { readonly _tag: "Stream" }
  /** Kills the service, and starts it again on the same store. */
  | { readonly _tag: "Kill" }

type Tag = ModelCommand["_tag"]

const row = fc.nat({ max: 30 })
const isStale = fc.boolean()

const call = <T extends Tag>(tag: T, fields = {}) => fc.record({ _tag: fc.constant(tag), ...fields })

const weighted = <T extends Tag>(weight: number, tag: T, fields = {}) => ({ weight, arbitrary: call(tag, fields) })

/** Calls, among them kills where the service can be killed. */
export const arbitrary = (hasKills: boolean): fc.Arbitrary<ModelCommand> =>
  // The fields are those of each tag above.
  fc.oneof(
    weighted(6, "Create"),
    weighted(2, "CreateMany", { count: fc.integer({ min: 1, max: 5 }) }),
    weighted(4, "Update", { row }),
    weighted(2, "UpdateVersion", { row, isStale }),
    weighted(3, "Modify", { row }),
    weighted(3, "Upsert", { row }),
    weighted(3, "Remove", { row }),
    weighted(1, "RemoveVersion", { row, isStale }),
    weighted(2, "Retrieve", { row }),
    weighted(1, "Find", { row }),
    weighted(2, "List"),
    weighted(1, "Count"),
    weighted(1, "Stream"),
    ...(hasKills ? [weighted(1, "Kill")] : [])
  ) as fc.Arbitrary<ModelCommand>

/** The calls as a script, one to a line. */
export const toScript = (commands: ReadonlyArray<ModelCommand>): string =>
  commands
    .map(({ _tag, ...fields }) => {
      const values = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
      return `${_tag[0]?.toLowerCase()}${_tag.slice(1)}(${values.join(", ")})`
    })
    .join("\n")

import { assert, describe, it } from "@effect/vitest"
import * as Preferences from "../../../src/rows/request/Preferences.ts"

const table: ReadonlyArray<readonly [prefer: string | undefined, read: Partial<Preferences.Preferences>]> = [
  [undefined, {}],
  ["", {}],
  ["return=representation", { return: "representation" }],
  ["return=minimal,count=exact", { return: "minimal", count: "exact" }],
  [" count=planned , , handling=strict ", { count: "planned", handling: "strict" }],
  ["return=minimal, return=representation", { return: "minimal" }],
  ["return=nonsense, return=minimal", { return: "minimal", unknown: ["return=nonsense"] }],
  ["Return=minimal", { unknown: ["Return=minimal"] }],
  ["return = minimal", { unknown: ["return = minimal"] }],
  ["count=none, foo, bar=1", { unknown: ["count=none", "foo", "bar=1"] }],
  ["max-affected=12, handling=strict", { "max-affected": 12, handling: "strict" }],
  ["max-affected=-1", { unknown: ["max-affected=-1"] }],
  ["max-affected=1.5", { unknown: ["max-affected=1.5"] }],
  ["tx=rollback, resolution=merge-duplicates", { tx: "rollback", resolution: "merge-duplicates" }],
  ["missing=default", { missing: "default" }],
  ["timezone=UTC", { timezone: "UTC" }],
  ["timezone=America/Lima", { unknown: ["timezone=America/Lima"] }],
  ["unknown=1, constructor=2", { unknown: ["unknown=1", "constructor=2"] }]
]

describe("Preferences", () => {
  for (const [prefer, read] of table) {
    it(`reads ${JSON.stringify(prefer)}`, () =>
      assert.deepStrictEqual(Preferences.parse(prefer), { ...Preferences.none, ...read }))
  }

  it("lists the preferences that applied in one order", () => {
    const preferences = Preferences.parse("max-affected=3, count=exact, return=minimal, missing=default, tx=commit")
    assert.strictEqual(
      Preferences.applied(preferences, (kind) => kind !== "missing"),
      "return=minimal, count=exact, tx=commit, max-affected=3"
    )
  })

  it("lists nothing if no preference applied", () => {
    assert.isUndefined(Preferences.applied(Preferences.parse("count=exact"), () => false))
    assert.isUndefined(Preferences.applied(Preferences.parse("foo"), () => true))
  })
})

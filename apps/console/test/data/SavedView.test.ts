import { assert, describe, it } from "vitest"
import * as SavedView from "../../src/views/data/query/SavedView.ts"

const place = (): SavedView.Place & { readonly texts: Map<string, string> } => {
  const texts = new Map<string, string>()
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value)
  }
}

describe("saved views", () => {
  it("are kept by resource, one for each name", () => {
    const kept = place()
    let layout = SavedView.withView(SavedView.read(kept, "holiday"), { name: "a", query: "x=1" })
    layout = SavedView.withView(SavedView.withView(layout, { name: "b", query: "" }), { name: "a", query: "x=2" })
    layout = SavedView.withWidth(layout, "name", 5000)
    assert.isTrue(SavedView.write(kept, "holiday", layout))
    assert.deepStrictEqual(SavedView.read(kept, "holiday"), {
      views: [
        { name: "b", query: "" },
        { name: "a", query: "x=2" }
      ],
      widths: { name: 900 }
    })
    assert.deepStrictEqual(SavedView.withoutView(layout, "a").views, [{ name: "b", query: "" }])
    assert.deepStrictEqual(SavedView.read(kept, "kanban").views, [])
  })

  it("leave out what the browser's data have otherwise", () => {
    const kept = place()
    for (const text of ["{", "null", "[]", '{"views":[{"name":1}],"widths":{"a":"wide","b":-4}}']) {
      kept.setItem("mfgdata.console.grid.holiday", text)
      assert.deepStrictEqual(SavedView.read(kept, "holiday"), { views: [], widths: {} }, text)
    }
    const full: SavedView.Place = {
      getItem: () => null,
      setItem: () => {
        throw new Error("full")
      }
    }
    assert.isFalse(SavedView.write(full, "holiday", { views: [], widths: {} }))
  })
})

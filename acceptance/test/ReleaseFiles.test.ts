import { assert, describe, it } from "@effect/vitest"
import * as Release from "../src/release/Release.ts"

describe("a file of a release", () => {
  it("that is missing is named, with the command that makes it", async () => {
    const { read } = await Release.fixture("domain", "nothing.json", () => Promise.reject(new Error("not made")))
    const version = Release.current("domain")
    assert.throws(
      () => read(version),
      `acceptance/releases/domain/${version}/nothing.json is missing: make it with ${Release.command}`
    )
    assert.throws(() => read("0.9.0"), "nothing.json is missing: restore it: it is a file of a release")
  })
})

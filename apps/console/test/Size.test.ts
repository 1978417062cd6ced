import { assert, describe, inject, it } from "vitest"

/** The KB of all assets together, and of those that the first view loads. */
const most = { whole: 150, first: 60 }

const kilobytes = (files: ReadonlyArray<{ readonly gzip: number }>): number =>
  files.reduce((sum, { gzip }) => sum + gzip, 0) / 1024

describe("the assets", () => {
  const files = inject("files")

  it(`have at most ${most.whole} KB gzipped together`, () => {
    const list = files.map(({ gzip, name }) => `${name} ${(gzip / 1024).toFixed(1)}`).join("\n")
    assert.isAtMost(kilobytes(files), most.whole, list)
  })

  it(`have at most ${most.first} KB gzipped before the first view`, () => {
    assert.isAtMost(kilobytes(files.filter(({ isFirst }) => isFirst)), most.first)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as ControlCharacters from "../src/ControlCharacters.ts"
import * as Terminal from "../src/Terminal.ts"

const hostile = "a\u001B]0;title\u0007b\u009B31mc\u202Ed\u2066e\u001B[8mf\rg\u007F\u061Ch"
const shown = "a\\u001b]0;title\\u0007b\\u009b31mc\\u202ed\\u2066e\\u001b[8mf\\rg\\u007f\\u061ch"

/** Records the text that is written to a stream, which is a terminal or not. */
const written = (name: "stdout" | "stderr", isTTY: boolean) => {
  const texts: Array<string> = []
  const stream = process[name]
  vi.spyOn(stream, "write").mockImplementation((text) => (texts.push(String(text)), true))
  const before = stream.isTTY
  stream.isTTY = isTTY
  restore = () => void (stream.isTTY = before)
  return texts
}

let restore = () => {}

afterEach(() => {
  vi.restoreAllMocks()
  restore()
})

describe("control characters", () => {
  it("are escaped in cells and in lines, which keep their ends and the styles of the programs", () => {
    assert.strictEqual(ControlCharacters.escape(hostile), shown)
    assert.strictEqual(ControlCharacters.escapeLines(hostile), shown)
    assert.strictEqual(ControlCharacters.escape("a\tb\r\n"), "a\\tb\\r\\n")
    for (const plain of ["a\tb\r\nc\n", "\u001B[31mred\u001B[0m", "Grüße 東京 🏭"]) {
      assert.strictEqual(ControlCharacters.escapeLines(plain), plain)
    }
  })

  it.effect("are escaped on a terminal and in messages, and not in the data of a pipe", () =>
    Effect.gen(function* () {
      const terminal = written("stdout", true)
      yield* Terminal.write(hostile)
      const errors = written("stderr", false)
      yield* Terminal.writeError(hostile)
      assert.deepStrictEqual([terminal, errors], [[shown], [shown]])
      restore()
      vi.restoreAllMocks()
      const pipe = written("stdout", false)
      yield* Terminal.write(hostile)
      assert.deepStrictEqual(pipe, [hostile])
    })
  )
})

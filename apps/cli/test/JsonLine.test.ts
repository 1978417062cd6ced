import { assert, describe, it } from "@effect/vitest"
import * as JsonLine from "../src/JsonLine.ts"

describe("a line that is not a JSON object", () => {
  it.each([
    ['{"name":"Good" Friday"}', 16, /^the line is not JSON: expected ',' or '}' after property value$/],
    ['{"name":}', undefined, /^the line is not JSON: unexpected token '}'$/],
    ['{"name":"x"', 12, /^the line is not JSON: /],
    ["{name:1}", 2, /^the line is not JSON: expected property name or '}'$/],
    ["[1]", undefined, /^the line is not a JSON object$/]
  ])("%s", (text, column, reason) => {
    const mistake = JsonLine.mistake(text)
    assert.strictEqual(mistake.column, column)
    assert.match(mistake.reason, reason)
  })
})

import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Template from "../../src/output/Template.ts"

const line = (template: string, row: Parameters<typeof Template.line>[1]): string =>
  Template.line(Either.getOrThrow(Template.parse(template)), row)

const refused: ReadonlyArray<readonly [template: string, says: RegExp]> = [
  ["{{id", /"\{\{id" has no end, expected \}\}/],
  ["{{range .}}{{id}}", /\{\{range \.\}\} is not a field.* use --jq/],
  ["{{}}", /\{\{\}\} is not a field/],
  ["{{a b}}", /\{\{a b\}\} is not a field/]
]

describe("a template", () => {
  it("writes the fields of a row between its texts", () => {
    const row = { id: "a", n: 1.5, none: null, tags: ["x", { y: 2 }], deep: { shift: "early" } }
    assert.strictEqual(line("{{id}}\\t{{ .n }}\\\\n", row), "a\t1.5\\n\n")
    assert.strictEqual(line("[{{none}}] {{tags}} {{tags.0}} {{tags.1.y}}", row), `[] ["x",{"y":2}] x 2\n`)
    assert.strictEqual(line("{{deep.shift}}{{deep.other}}{{id.length}}{ {}", row), "early{ {}\n")
  })

  it.each(refused)("refuses %s", (template, says) => {
    assert.match(Either.getOrThrow(Either.flip(Template.parse(template))).message, says)
  })
})

/** Compares the variables of docs/telemetry.md with those that the service reads. */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as OtlpSettings from "../../src/telemetry/OtlpSettings.ts"

it("docs/telemetry.md lists every variable of OpenTelemetry with its default", () => {
  const document = readFileSync(new URL("../../../../docs/telemetry.md", import.meta.url), "utf8")
  const rows = Array.from(
    document.matchAll(/^\| `(OTEL_\w+)`\s*\|(.*)\|(.*)\|$/gm),
    ([, name = "", initial = "", help = ""]) => [name, initial.trim(), help.trim()].join(" | ")
  )
  const expected = OtlpSettings.names.map((name) => {
    const { default: initial, expected, help } = OtlpSettings.variables[name]
    return [name, initial === undefined || initial === "" ? "" : `\`${initial}\``, `${help}: ${expected}`].join(" | ")
  })
  assert.deepStrictEqual(rows, expected)
})

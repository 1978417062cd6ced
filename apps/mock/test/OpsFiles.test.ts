/** Compares the files in `ops` with the settings of the service. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Settings from "../src/Settings.ts"
import * as OtlpSettings from "../src/telemetry/OtlpSettings.ts"

const folder = fileURLToPath(new URL("../../../ops", import.meta.url))

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), "utf8") }))

const matches = (form: RegExp) =>
  files.flatMap(({ name, text }) => Array.from(text.matchAll(form), ([, ...found]) => [name, ...found] as const))

describe("the files of operators", () => {
  it("set variables that the service reads, to values that it accepts", () => {
    const names = new Map(Settings.names.map((name) => [Settings.variable(name), name]))
    const set = matches(/\b(MFG_MOCK_\w+)(?:[=:] *("?)([^\s"\\]+)\2)?/g)
    assert.isAbove(set.length, 20)
    for (const [file, variable = "", , value] of set) {
      const name = names.get(variable)
      if (name === undefined) return assert.fail(`${file} sets ${variable}, which is not a setting`)
      const isShown = value !== undefined && !/[${}]|\.\.\./.test(value)
      if (isShown) assert.isDefined(Settings.settings[name].parse(value), `${file}: ${variable}=${value}`)
    }
    for (const [file, variable] of matches(/\b(OTEL_\w+)/g)) {
      assert.include([...OtlpSettings.names, "OTEL_SDK_DISABLED"], variable, file)
    }
  })

  it("pass flags that the commands have", () => {
    const flags = [...Settings.names.map((name) => `--${Settings.flag(name)}`), "--every", "--keep"]
    const lines = [
      ...matches(/^ExecStart=\/usr\/bin\/mfg-mock (.*)$/gm),
      ...matches(/^ +(?:args|command): \[("(?:serve|migrate|snapshot)".*)\]$/gm),
      ...matches(/^CMD \[("serve".*)\]$/gm)
    ]
    assert.isAbove(lines.length, 4)
    for (const [file, line = ""] of lines) {
      for (const [flag] of line.matchAll(/--[a-z-]+/g)) assert.include(flags, flag, file)
    }
  })
})

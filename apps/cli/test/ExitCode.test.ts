import { assert, describe, it } from "@effect/vitest"
import * as ClientError from "@mfgdata/client/ClientError"
import * as CliError from "../src/CliError.ts"
import { readFileSync } from "node:fs"
import * as ExitCode from "../src/ExitCode.ts"

const byStatus: ReadonlyArray<string> = ["CallRefused", "OperationRefused"]

/** Errors of the client that no command has: operations have `OperationRefused`, and an invalid option is a defect. */
const unused: ReadonlyArray<string> = ["NotFound", "OperationRejected", "OptionInvalid"]

const tags = [...Object.keys(ClientError), ...Object.keys(CliError), "Unconfirmed"]

describe("exit codes", () => {
  it.each(tags.filter((tag) => !unused.includes(tag)))("%s has an exit code", (tag) => {
    if (byStatus.includes(tag)) {
      const statuses = [400, 401, 403, 404, 409, 412, 429, 503]
      const codes = statuses.map((status) => ExitCode.of({ _tag: tag, status }))
      assert.deepStrictEqual(codes, [7, 4, 5, 6, 8, 8, 9, 10])
    } else assert.isTrue(ExitCode.codes.some(({ tags }) => tags.some((known) => known === tag)))
  })

  it("match the table of docs/cli.md", () => {
    const document = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8")
    const rows = Array.from(document.matchAll(/^\| (\d+) +\| (.+?) +\|$/gm), ([, code, meaning]) => [
      Number(code),
      meaning
    ])
    assert.deepStrictEqual(
      rows,
      ExitCode.codes.map(({ code, meaning }) => [code, meaning])
    )
  })

  it("differ from each other, and an unknown error has 1", () => {
    const codes = ExitCode.codes.map(({ code }) => code)
    assert.lengthOf(codes, new Set(codes).size)
    assert.strictEqual(ExitCode.of({ _tag: "SomethingNew" }), 1)
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Catalogue, type Resource } from "@mfgdata/domain"
import * as Rows from "../src/commands/Rows.ts"
import * as Fields from "../src/Fields.ts"

describe("the flags of a resource", () => {
  it.each(Catalogue.resources.map((resource): [string, Resource.Any] => [resource.resource, resource]))(
    "%s: every writable field has a flag of its own",
    async (_, resource) => {
      const syntax = (await Rows.program(resource, undefined)).syntax()
      assert.strictEqual(syntax._tag, "Group")
      for (const command of ["create", "update"]) {
        const flags = syntax._tag === "Group" ? (syntax.commands.get(command)?.flags ?? []) : []
        const names = flags.flatMap((flag) => flag.names)
        assert.lengthOf(names, new Set(names).size)
        assert.includeMembers(
          names,
          Fields.writable(resource).map(({ name }) => `--${Fields.flag(name)}`)
        )
      }
    }
  )

  it("are in kebab case", () => {
    assert.deepStrictEqual(["companyId", "year", "isURLKnown", "onInsert"].map(Fields.flag), [
      "company-id",
      "year",
      "is-url-known",
      "on-insert"
    ])
  })
})

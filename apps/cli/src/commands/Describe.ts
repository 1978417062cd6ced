/**
 * `mfg describe [resource]`: shows the contract of this version, without a request.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Catalogue from "@mfgdata/domain/Catalogue"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ResourceName from "../ResourceName.ts"
import * as Fields from "../Fields.ts"
import * as Output from "@mfgdata/shell/output/Output"
import * as Program from "@mfgdata/shell/Program"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

const resource = Args.text({ name: "resource" }).pipe(
  Args.withDescription("Resource of the fields (default: a list of all resources)."),
  Args.optional
)

const ofResource = (resource: Resource.Any): Output.Row => {
  const columns = Column.fromResource(resource)
  const count = (write: Column.Column["write"]) => columns.filter((column) => column.write === write).length
  return {
    resource: resource.resource,
    key: resource.key,
    required: count("required"),
    optional: count("optional"),
    returned: count("never")
  }
}

const ofColumn = ({ name, type, write, reference, vocabulary }: Column.Column): Output.Row => ({
  field: name,
  type,
  write,
  references: reference === undefined ? null : `${reference.resource}.${reference.field}`,
  known: vocabulary?.known ?? null
})

const columnsOf = (resource: Resource.Any): ReadonlyArray<Output.Row> => {
  const columns = Column.byName(resource)
  return Fields.names(resource).flatMap((name) => {
    const column = columns.get(name)
    return column === undefined ? [] : [ofColumn(column)]
  })
}

const command = Command.make("describe", { resource, output: Output.options }, ({ resource, output }) =>
  Option.match(resource, {
    onNone: () => Output.show(resources.map(ofResource), output),
    onSome: (name) => Effect.flatMap(ResourceName.parse(name), (resource) => Output.show(columnsOf(resource), output))
  })
).pipe(Command.withDescription("Show the resources of the service, or the fields of one."))

export const program: Program.Program = Program.make(command)

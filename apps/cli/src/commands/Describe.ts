/**
 * `mfg describe [resource]`: the contract as this version knows it, without asking a service.
 */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { Catalogue, Column, type Resource } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Output from "../Output.ts"

const resources: ReadonlyArray<Resource.Any> = Catalogue.resources

const unknown = (name: string) =>
  HelpDoc.p(`There is no resource ${name}. There are ${resources.map(({ resource }) => resource).join(", ")}.`)

const resource = Args.text({ name: "resource" }).pipe(
  Args.withDescription("The resource whose fields to show. Without it, all resources are listed."),
  Args.mapEffect((name) => Effect.mapError(Effect.fromNullable(Catalogue.find(name)), () => unknown(name))),
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

/** The command. */
export const command = Command.make("describe", { resource, output: Output.option }, ({ resource, output }) =>
  Output.show(
    Option.match(resource, {
      onNone: () => resources.map(ofResource),
      onSome: (one) => Column.fromResource(one).map(ofColumn)
    }),
    output
  )
).pipe(Command.withDescription("Show the resources of the service, or the fields of one."))

/**
 * `mfg <resource>`: the commands for the rows of a resource.
 */
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Fields from "../Fields.ts"
import * as Program from "@mfgdata/shell/Program"
import * as Create from "./rows/Create.ts"
import * as Delete from "./rows/Delete.ts"
import * as Edit from "./rows/Edit.ts"
import * as Export from "./rows/Export.ts"
import * as Get from "./rows/Get.ts"
import * as Import from "./rows/Import.ts"
import * as List from "./rows/List.ts"
import * as Update from "./rows/Update.ts"

const writes = { required: "required", optional: "optional", never: "set by the service" } as const

/** The line of a column: its type, its reference and its known values. */
const line = ({ name, reference, type, vocabulary, write }: Column.Column): string =>
  [
    `${name}: ${type}, ${writes[write]}`,
    reference === undefined ? undefined : `references ${reference.resource}.${reference.field}`,
    vocabulary === undefined ? undefined : `known values: ${vocabulary.known.join(", ")}`
  ]
    .filter((part) => part !== undefined)
    .join("; ")

const described = (resource: Resource.Any): HelpDoc.HelpDoc => {
  const columns = Column.byName(resource)
  const [first, ...rest] = Fields.names(resource).flatMap((name) => {
    const column = columns.get(name)
    return column === undefined ? [] : [HelpDoc.p(line(column))]
  })
  const intro = HelpDoc.p(`Rows of ${resource.resource}, whose key is ${resource.key}. Fields:`)
  return first === undefined ? intro : HelpDoc.blocks([intro, HelpDoc.enumeration([first, ...rest])])
}

/** The commands of a resource. */
export const program = (resource: Resource.Any): Program.Program =>
  Program.make(
    Command.make(resource.resource).pipe(
      Command.withDescription(described(resource)),
      Command.withSubcommands([
        List.make(resource),
        Get.make(resource),
        Create.make(resource),
        Update.make(resource),
        Edit.make(resource),
        Delete.make(resource),
        Export.make(resource),
        Import.make(resource)
      ])
    ),
    ["list", "get", "create", "update", "edit", "delete", "export", "import"]
  )

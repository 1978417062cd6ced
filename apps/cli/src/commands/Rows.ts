/**
 * `mfg <resource>`: the commands for the rows of a resource.
 */
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import * as Struct from "effect/Struct"
import * as Fields from "../Fields.ts"
import * as Program from "@mfgdata/shell/Program"

/** The commands in the order of the help, with the modules that they load. */
const commands = {
  list: async () => (await import("./rows/List.ts")).make,
  get: async () => (await import("./rows/Get.ts")).make,
  open: async () => (await import("./rows/Open.ts")).make,
  create: async () => (await import("./rows/Create.ts")).make,
  update: async () => (await import("./rows/Update.ts")).make,
  edit: async () => (await import("./rows/Edit.ts")).make,
  delete: async () => (await import("./rows/Delete.ts")).make,
  export: async () => (await import("./rows/Export.ts")).make,
  import: async () => (await import("./rows/Import.ts")).make
}

type Name = keyof typeof commands

const names = Struct.keys(commands)

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

/** The commands of a resource: the one named `word` alone, or all. */
export const program = async (resource: Resource.Any, word: string | undefined): Promise<Program.Program> => {
  const load = async (name: Name) => (await commands[name]())(resource)
  const named = names.find((name) => name === word)
  const [first = "list", ...others] = named === undefined ? names : [named]
  return Program.make(
    Command.make(resource.resource).pipe(
      Command.withDescription(named === undefined ? described(resource) : ""),
      Command.withSubcommands([await load(first), ...(await Promise.all(others.map(load)))])
    ),
    names
  )
}

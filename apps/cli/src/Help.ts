/**
 * What `mfg --help` says. The help of each command comes with the command.
 */
import * as Groups from "./Groups.ts"
import * as Screen from "./Screen.ts"

const usages = ["mfg <resource> list|get|create|update|delete|export|import", "mfg <command> --help", "mfg --version"]

/** Names side by side, as many as a line of 80 holds. */
const inColumns = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const width = Math.max(...names.map((name) => name.length)) + 2
  const perLine = Math.max(1, Math.floor(78 / width))
  const lines = Math.ceil(names.length / perLine)
  return Array.from({ length: lines }, (_, line) =>
    names
      .filter((_, index) => index % lines === line)
      .map((name) => name.padEnd(width))
      .join("")
      .trimEnd()
  )
}

const [rows, ...others] = Groups.sections

const title = (text: string): string => Screen.styled("bold", text)

/** The help of the whole program. */
export const text = (version: string): string => {
  const width = Math.max(...others.flatMap(({ groups }) => groups.map(({ name }) => name.length)))
  return [
    `mfg ${version}: the manufacturing data service from a shell`,
    "",
    title("USAGE"),
    ...usages.map((usage) => `  $ ${usage}`),
    "",
    title(`COMMANDS FOR ${rows.title}`),
    ...inColumns(rows.groups.map(({ name }) => name)).map((line) => `  ${line}`),
    ...others.flatMap(({ groups, title: name }) => [
      "",
      title(`COMMANDS FOR THE ${name}`),
      ...groups.map((group) => `  ${group.name.padEnd(width)}  ${group.summary}`)
    ]),
    "",
    title("EVERYWHERE"),
    `  --output table|json|ndjson|csv   what to answer with: a table on a terminal, ndjson elsewhere`,
    `  --profile <name>                 which service to ask; mfg login makes profiles`,
    `  --help                           flags, fields, known values and examples of a command`,
    ""
  ].join("\n")
}

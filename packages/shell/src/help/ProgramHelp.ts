/**
 * Renders the help of an executable. The help of a command comes from {@link CommandHelp}.
 */
import type { Front } from "../Front.ts"
import { title } from "./HelpText.ts"

/** Lays out names in columns, for a line of 80 characters. */
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

const terms = (list: ReadonlyArray<readonly [term: string, text: string]>, width: number): ReadonlyArray<string> =>
  list.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`)

/** The help of an executable. */
export const text = (
  { everywhere, name, sections, summary, switches = [], topics = [], usages }: Front,
  version: string
): string => {
  const described = sections.filter(({ compact }) => compact !== true)
  const width = Math.max(...described.flatMap(({ groups }) => groups.map(({ name }) => name.length)))
  const flags = [...everywhere, ...switches, ["--help", "Flags, arguments and examples of a command."] as const]
  return [
    `${name} ${version}: ${summary}`,
    "",
    title("USAGE"),
    ...usages.map((usage) => `  $ ${usage}`),
    ...sections.flatMap(({ compact, groups, title: heading }) => [
      "",
      title(heading),
      ...(compact === true
        ? inColumns(groups.map(({ name }) => name)).map((line) => `  ${line}`)
        : terms(
            groups.map(({ name, summary }) => [name, summary] as const),
            width
          ))
    ]),
    ...(topics.length === 0
      ? []
      : [
          "",
          title("TOPICS"),
          ...terms(
            topics.map(({ name, summary }) => [name, summary] as const),
            width
          )
        ]),
    "",
    title("EVERYWHERE"),
    ...terms(flags, Math.max(...flags.map(([flag]) => flag.length))),
    ""
  ].join("\n")
}

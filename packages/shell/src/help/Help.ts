/**
 * Finds the help that the words after `help` name: of the executable, of a command, of a subcommand, or of a topic.
 */
import type { UsageError } from "@mfgdata/domain/UsageError"
import * as Effect from "effect/Effect"
import * as CommandLine from "../CommandLine.ts"
import * as Front from "../Front.ts"
import type { Syntax } from "../Program.ts"
import * as ProgramHelp from "./ProgramHelp.ts"
import * as TopicHelp from "./TopicHelp.ts"

const namesOf = (syntax: Syntax): ReadonlyArray<string> => (syntax._tag === "Leaf" ? [] : [...syntax.commands.keys()])

/** The help for some words. */
export const find = (
  front: Front.Front,
  version: string,
  [name, subcommand]: ReadonlyArray<string>
): Effect.Effect<string, UsageError> => {
  if (name === undefined) return Effect.succeed(ProgramHelp.text(front, version))
  const { topics = [] } = front
  const topic = topics.find((topic) => topic.name === name)
  if (topic !== undefined) return Effect.map(Effect.promise(topic.load), (passages) => TopicHelp.text(topic, passages))
  const group = Front.find(front, name)
  if (group === undefined) {
    const names = [...Front.names(front), ...topics.map(({ name }) => name)]
    return Effect.fail(CommandLine.unknownWord(front.name, name, names))
  }
  return Effect.flatMap(
    Effect.promise(() => group.load()),
    (program) => {
      const names = namesOf(program.syntax())
      return subcommand === undefined || names.length === 0 || names.includes(subcommand)
        ? Effect.succeed(program.help(front.name, subcommand))
        : Effect.fail(CommandLine.unknownWord(`${front.name} ${name}`, subcommand, names))
    }
  )
}

/**
 * Renders a topic of the help.
 */
import type { Passage, Topic } from "./Topic.ts"
import { listed, room, title, wrap } from "./HelpText.ts"

const linesOf = (passage: Passage): ReadonlyArray<string> => {
  switch (passage._tag) {
    case "Text":
      return wrap(passage.text, room())
    case "Example":
      return passage.lines.map((line) => `  $ ${line}`)
    case "Terms":
      return [title(passage.title), ...listed(passage.terms, room())]
  }
}

/** The help of a topic. */
export const text = ({ name, summary }: Topic, passages: ReadonlyArray<Passage>): string =>
  [
    title(name.toUpperCase()),
    ...wrap(summary, room()),
    ...passages.flatMap((passage) => ["", ...linesOf(passage)]),
    ""
  ].join("\n")

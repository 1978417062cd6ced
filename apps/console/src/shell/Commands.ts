/**
 * The commands of the palette: those of the page and its views, and those that a view adds while it is shown.
 */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import type { IconName } from "../ui/Icon.tsx"

export interface Command {
  readonly title: string
  /** More words that find it. */
  readonly words?: string
  readonly icon?: IconName
  /** The keys that do the same, as the palette shows them. */
  readonly keys?: string
  readonly run: () => void
}

const added = signal<ReadonlyArray<ReadonlyArray<Command>>>([])

/** The commands of the views that are shown. */
export const current = (): ReadonlyArray<Command> => added.value.flat()

/** Adds commands to the palette while a component is shown; `inputs` are the values that they depend on. */
export const useCommands = (commands: ReadonlyArray<Command>, inputs: ReadonlyArray<unknown>): void => {
  useEffect(() => {
    added.value = [...added.peek(), commands]
    return () => {
      added.value = added.peek().filter((each) => each !== commands)
    }
  }, [...inputs])
}

/** Ranks a command for the words that were typed; undefined where it does not match. */
export const rank = (text: string, { title, words = "" }: Pick<Command, "title" | "words">): number | undefined => {
  const parts = text
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== "")
  const [name, whole] = [title.toLowerCase(), `${title} ${words}`.toLowerCase()]
  if (!parts.every((part) => whole.includes(part))) return undefined
  const [first = ""] = parts
  if (name === parts.join(" ")) return -1
  return name.startsWith(first) ? 0 : name.includes(` ${first}`) ? 1 : name.includes(first) ? 2 : 3
}

/**
 * The command palette: finds views, resources and commands by words.
 */
import { useId, useState } from "preact/hooks"
import * as Catalogue from "../service/Catalogue.ts"
import * as Address from "../router/Address.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { views } from "../views/views.ts"
import * as Commands from "./Commands.ts"
import * as Keys from "./Keys.ts"

const most = 50

const places = (): ReadonlyArray<Commands.Command> => [
  ...views.flatMap(({ commands, icon, key, path, title }) => [
    ...(icon === undefined
      ? []
      : [{ title, icon, ...(key === undefined ? {} : { keys: `g ${key}` }), run: () => Address.navigate(path) }]),
    ...(commands?.() ?? [])
  ]),
  ...Catalogue.sorted.map(({ name }) => ({
    title: Catalogue.titleOf(name),
    words: `${name} rows table`,
    icon: "table" as const,
    run: () => Address.navigate(`/${name}`)
  }))
]

const find = (text: string): ReadonlyArray<Commands.Command> =>
  [...Commands.current(), ...places()]
    .flatMap((command) => {
      const rank = Commands.rank(text, command)
      return rank === undefined ? [] : [{ command, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ command }) => command)

export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const [text, setText] = useState("")
  const [active, setActive] = useState(0)
  const id = useId()
  const found = find(text)
  const run = (command: Commands.Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setActive((active + step + found.length) % Math.max(1, found.length))
    else if (event.key === "Enter") run(found[active])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to or run" kind="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Command"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${active}`}
        aria-autocomplete="list"
        autocomplete="off"
        autofocus
        placeholder="A view, a resource or a command"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={move}
      />
      <ul id={id} class="palette-list" role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <li
            key={`${command.title} ${index}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" })
            }}
            onClick={() => run(command)}
          >
            <Icon name={command.icon ?? "right"} />
            <span>{command.title}</span>
            {command.keys === undefined ? null : <kbd>{Keys.display(command.keys)}</kbd>}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p class="hint">Nothing has this name.</p> : null}
    </Dialog>
  )
}

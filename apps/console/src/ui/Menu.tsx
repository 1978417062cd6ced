/**
 * A menu that a button opens. The arrow keys move in it, Escape closes it.
 */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { Icon, type IconName } from "./Icon.tsx"

export interface MenuItem {
  readonly title: string
  readonly icon?: IconName
  readonly isChecked?: boolean
  readonly isDisabled?: boolean
  readonly run: () => void
}

export interface MenuProps {
  /** The name of the button for screen readers. */
  readonly label: string
  /** The content of the button. */
  readonly button: ComponentChildren
  readonly items: ReadonlyArray<MenuItem>
}

const itemsIn = (menu: HTMLElement | null): ReadonlyArray<HTMLElement> => [
  ...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])') ?? [])
]

export const Menu = ({ button, items, label }: MenuProps) => {
  const [isOpen, setOpen] = useState(false)
  const around = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const id = useId()
  // Before the browser draws the menu, so that the next key is already one of the menu.
  useLayoutEffect(() => {
    if (!isOpen) return
    itemsIn(list.current)[0]?.focus()
    const outside = (event: PointerEvent) => {
      if (event.target instanceof Node && around.current?.contains(event.target) !== true) setOpen(false)
    }
    document.addEventListener("pointerdown", outside)
    return () => document.removeEventListener("pointerdown", outside)
  }, [isOpen])
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const entries = itemsIn(list.current)
    const index = entries.findIndex((entry) => entry === document.activeElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Escape" || event.key === "Tab") close()
    else if (next !== undefined) entries.at(next % entries.length)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu" ref={around}>
      <button
        ref={opener}
        type="button"
        class="button quiet"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" || isOpen) return
          event.preventDefault()
          setOpen(true)
        }}
      >
        {button}
      </button>
      {isOpen ? (
        <div id={id} ref={list} class="menu-list" role="menu" aria-label={label} onKeyDown={move}>
          {items.map(({ icon, isChecked, isDisabled = false, run, title }) => (
            <button
              key={title}
              type="button"
              role={isChecked === undefined ? "menuitem" : "menuitemcheckbox"}
              aria-checked={isChecked}
              aria-disabled={isDisabled}
              tabIndex={-1}
              onClick={() => {
                if (isDisabled) return
                close()
                run()
              }}
            >
              {icon === undefined ? null : <Icon name={icon} />}
              {title}
              {isChecked === true ? <Icon name="check" /> : null}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

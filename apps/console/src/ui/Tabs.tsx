/**
 * Tabs: the arrow keys move between them.
 */
import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface TabsProps<T extends string> {
  readonly label: string
  readonly tabs: ReadonlyArray<{ readonly name: T; readonly title: ComponentChildren }>
  readonly selected: T
  readonly onSelect: (name: T) => void
  readonly children: ComponentChildren
}

const steps: { readonly [key: string]: number } = { ArrowRight: 1, ArrowLeft: -1 }

export const Tabs = <T extends string>({ children, label, onSelect, selected, tabs }: TabsProps<T>) => {
  const id = useId()
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const index = tabs.findIndex(({ name }) => name === selected)
    const step = steps[event.key]
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? tabs.length - 1
          : step === undefined
            ? -1
            : (index + step + tabs.length) % tabs.length
    const tab = tabs[next]
    if (tab === undefined) return
    event.preventDefault()
    onSelect(tab.name)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-controls={`${id}-panel`}
            aria-selected={name === selected}
            tabIndex={name === selected ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} tabIndex={0}>
        {children}
      </div>
    </div>
  )
}

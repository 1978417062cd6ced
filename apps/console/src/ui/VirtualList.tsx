/**
 * A list that renders the rows in sight only, so that a hundred thousand rows scroll like ten. All rows have the same
 * height. The arrow keys, Page Up and Down, Home and End move; screen readers get each row's place among all.
 */
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"

export interface VirtualListProps {
  readonly label: string
  readonly count: number
  /** The height of a row in pixels. */
  readonly rowHeight: number
  /** The content of a row; `isActive` for the one that the keyboard is on. */
  readonly row: (index: number, isActive: boolean) => ComponentChildren
  readonly keyOf?: (index: number) => string | number
  /** Opens a row: Enter, or a click. */
  readonly onOpen?: (index: number) => void
  /** Runs when these rows come into sight, to load them. */
  readonly onRange?: (from: number, to: number) => void
  readonly empty?: ComponentChildren
}

/** The rows beyond the visible ones that are rendered too. */
const overscan = 8

export const VirtualList = (props: VirtualListProps) => {
  const { count, empty, keyOf, label, onOpen, onRange, row, rowHeight } = props
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [active, setActive] = useState(0)

  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const measure = () => setView({ top: current.scrollTop, height: current.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const from = Math.max(0, Math.floor(view.top / rowHeight) - overscan)
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + overscan)
  useEffect(() => onRange?.(from, to), [from, to, count])

  const show = (index: number) => {
    const next = Math.max(0, Math.min(count - 1, index))
    setActive(next)
    const { current } = box
    if (current === null) return
    const top = next * rowHeight
    if (top < current.scrollTop) current.scrollTop = top
    else if (top + rowHeight > current.scrollTop + current.clientHeight) {
      current.scrollTop = top + rowHeight - current.clientHeight
    }
  }

  const move = (event: KeyboardEvent) => {
    if (event.target !== box.current) return
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const next = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1
    }[event.key]
    if (next !== undefined) show(next)
    else if (event.key === "Enter" && count > 0) onOpen?.(active)
    else return
    event.preventDefault()
  }

  const indices = Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place)
  const idOf = (index: number) => `row-${index}`
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      aria-label={label}
      aria-activedescendant={count === 0 ? undefined : idOf(active)}
      tabIndex={0}
      onKeyDown={move}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
    >
      {count === 0 ? <div class="virtual-empty">{empty}</div> : null}
      <div class="virtual-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {indices.map((index) => (
          <div
            key={keyOf?.(index) ?? index}
            id={idOf(index)}
            class="virtual-row"
            role="option"
            aria-selected={index === active}
            aria-posinset={index + 1}
            aria-setsize={count}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
            onClick={() => {
              setActive(index)
              onOpen?.(index)
            }}
          >
            {row(index, index === active)}
          </div>
        ))}
      </div>
    </div>
  )
}

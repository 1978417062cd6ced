/**
 * Follows the part of a grid that is in view, and fetches its rows.
 */
import type { RefObject } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type * as GridLine from "./GridLine.ts"

/** The lines beyond the visible ones that are rendered too. */
const overscan = 6

/** The time for which rows that pass by are not fetched. */
const passingMillis = 90

/** The lines to render, from `first` to `last`, of all lines. */
export const useGridView = (
  box: RefObject<HTMLDivElement | null>,
  { drafts, window }: GridLine.Lines,
  rowHeight: number
) => {
  const [view, setView] = useState({ top: 0, height: 600 })
  const drawn = useRef(0)
  const measure = (element: HTMLElement): void => setView({ top: element.scrollTop, height: element.clientHeight })
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    measure(current)
    const observer = new ResizeObserver(() => measure(current))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])

  const { exact, rows } = window.length()
  const visible = Math.max(Math.ceil(view.height / rowHeight) - 1, 1)
  // Until the end is known, further lines ask for the rows after those that were seen.
  const count = drafts.length + rows + (exact ? 0 : visible)
  const first = Math.max(Math.floor(view.top / rowHeight) - overscan, 0)
  const last = Math.min(first + visible + 2 * overscan, count - 1)

  useEffect(() => {
    const load = () => window.show(first - drafts.length, last - drafts.length)
    const isNear = Math.abs(first - drawn.current) <= visible
    drawn.current = first
    if (isNear) return load()
    const timer = setTimeout(load, passingMillis)
    return () => clearTimeout(timer)
  }, [window, first, last, drafts.length, rows])

  return {
    count,
    exact,
    rows,
    first,
    last,
    visible,
    onScroll: ({ currentTarget }: { readonly currentTarget: HTMLElement }) => measure(currentTarget)
  }
}

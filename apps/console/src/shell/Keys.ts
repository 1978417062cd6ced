/**
 * The keys of the page: those of the shell, and those that a view adds while it is shown. A key is a letter, a sequence
 * such as `g h`, or one with Control or Command such as `mod+k`.
 */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"

export interface Key {
  readonly keys: string
  readonly title: string
  readonly run: (event: KeyboardEvent) => void
  /** Set for a key that works inside inputs too. */
  readonly isGlobal?: boolean
}

const added = signal<ReadonlyArray<ReadonlyArray<Key>>>([])

/** The keys that work now. */
export const current = (): ReadonlyArray<Key> => added.value.flat()

/** Adds keys while a component is shown; `inputs` are the values that they depend on. */
export const useKeys = (keys: ReadonlyArray<Key>, inputs: ReadonlyArray<unknown>): void => {
  useEffect(() => {
    added.value = [...added.peek(), keys]
    return () => {
      added.value = added.peek().filter((each) => each !== keys)
    }
  }, [...inputs])
}

/** The time within which the second key of a sequence follows the first. */
const sequenceMillis = 1500

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const nameOf = ({ ctrlKey, key, metaKey }: KeyboardEvent): string =>
  `${ctrlKey || metaKey ? "mod+" : ""}${key.length === 1 ? key.toLowerCase() : key}`

/** Starts to listen. */
export const listen = (): void => {
  let before = { name: "", at: -Infinity }
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return
    const name = nameOf(event)
    const sequence = event.timeStamp - before.at < sequenceMillis ? `${before.name} ${name}` : name
    before = { name, at: event.timeStamp }
    const typing = isTyping(event.target)
    const isModal = document.querySelector("dialog:modal") !== null
    const key = current().findLast(
      ({ isGlobal = false, keys }) => (keys === sequence || keys === name) && (isGlobal || (!typing && !isModal))
    )
    if (key === undefined) return
    before = { name: "", at: -Infinity }
    event.preventDefault()
    key.run(event)
  })
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys as people read them. */
export const display = (keys: string): string =>
  keys.replace(/^mod\+(.*)/, (_, key: string) => `${isApple ? "⌘" : "Ctrl+"}${key.toUpperCase()}`)

/**
 * A text input with a list of values to choose from. Any other text can be typed as well.
 */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import * as CellText from "./CellText.ts"

export interface Choice {
  readonly value: string
  /** More about the value. */
  readonly note?: string
}

export interface ComboboxProps {
  readonly label: string
  readonly text: string
  readonly onInput: (text: string) => void
  /** The choices for a text. */
  readonly find: (text: string, signal: AbortSignal) => Promise<ReadonlyArray<Choice>>
  readonly id?: string
  readonly describedBy?: string | undefined
  readonly isInvalid?: boolean
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly isFocused?: boolean
  /** Runs when a choice is taken by the mouse. */
  readonly onChoose?: (text: string) => void
}

/** The choices among known words. */
export const amongWords =
  (words: ReadonlyArray<string>) =>
  async (text: string): Promise<ReadonlyArray<Choice>> => {
    const part = text.toLowerCase()
    const matching = words.filter((word) => word.toLowerCase().includes(part))
    // A complete word is a start for choosing another.
    return (matching.length === 0 || words.includes(text) ? words : matching).map((value) => ({ value }))
  }

const waitMillis = 150

export const Combobox = (props: ComboboxProps) => {
  const {
    describedBy,
    find,
    id,
    isFocused = false,
    isInvalid = false,
    label,
    onChoose,
    onInput,
    onKeyDown,
    text
  } = props
  const [isOpen, setOpen] = useState(isFocused)
  const [choices, setChoices] = useState<ReadonlyArray<Choice>>([])
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  useLayoutEffect(() => {
    if (isFocused) input.current?.focus()
  }, [])
  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    const timer = setTimeout(
      () => {
        find(text, abort.signal).then(
          (found) => {
            if (abort.signal.aborted) return
            setChoices(found)
            setActive(-1)
          },
          () => setChoices([])
        )
      },
      choices.length === 0 ? 0 : waitMillis
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [isOpen, text])
  const choose = (choice: Choice): void => {
    onInput(choice.value)
    setOpen(false)
  }
  const isShown = isOpen && choices.length > 0
  const press = (event: KeyboardEvent): void => {
    const choice = choices[active]
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault()
      setOpen(true)
      const step = event.key === "ArrowDown" ? 1 : -1
      const next = (active + step + choices.length) % choices.length
      if (choices.length > 0) setActive(active === -1 && step === -1 ? choices.length - 1 : next)
    } else if (event.key === "Enter" && isShown && choice !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      choose(choice)
    } else if (event.key === "Escape" && isShown && active >= 0) {
      event.preventDefault()
      event.stopPropagation()
      setActive(-1)
      setOpen(false)
    } else onKeyDown?.(event)
  }
  return (
    <span class="combobox">
      <input
        ref={input}
        id={id}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        dir="auto"
        aria-label={id === undefined ? label : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        aria-expanded={isShown}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active >= 0 ? `${list}-${active}` : undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setOpen(true)
          onInput(currentTarget.value)
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <span id={list} role="listbox" aria-label={label} class="choices" hidden={!isShown}>
        {choices.map(({ note, value }, index) => (
          <span
            key={value}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            class="choice"
            onPointerDown={(event) => {
              event.preventDefault()
              onInput(value)
              setOpen(false)
              onChoose?.(value)
            }}
          >
            <bdi>{CellText.cell(value)}</bdi>
            {note === undefined ? null : <small>{CellText.cell(note, 60)}</small>}
          </span>
        ))}
      </span>
    </span>
  )
}

/**
 * The body of a request or a response as text: JSON with indentation, and only the beginning of a long one.
 */
import { useState } from "preact/hooks"
import { Button } from "./Button.tsx"

/** The characters that are shown at first; more would make the page slow. */
const shownCharacters = 20_000

/** The longest text that is parsed to be indented. */
const indentedCharacters = 500_000

const indented = (text: string): string => {
  if (text.length > indentedCharacters) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export interface BodyTextProps {
  readonly label: string
  readonly text: string
  /** The size of the whole body, of which `text` may be the beginning. */
  readonly bytes?: number
}

export const BodyText = ({ bytes, label, text }: BodyTextProps) => {
  const [isWhole, setWhole] = useState(false)
  if (text === "") return <p class="hint">{bytes === undefined || bytes === 0 ? "No body." : `${bytes} bytes.`}</p>
  const whole = indented(text)
  const isCut = !isWhole && whole.length > shownCharacters
  return (
    <>
      <pre class="body-text" tabIndex={0} aria-label={label} role="region">
        <code>{isCut ? whole.slice(0, shownCharacters) : whole}</code>
      </pre>
      {isCut ? (
        <p class="row">
          <Button onClick={() => setWhole(true)}>Show all {whole.length.toLocaleString()} characters</Button>
        </p>
      ) : null}
    </>
  )
}

/**
 * The form that takes a key: to sign in, to sign in again over the page, and to add the administrator's key.
 */
import { useState } from "preact/hooks"
import { Button } from "../ui/Button.tsx"
import { CheckField, TextField } from "../ui/Field.tsx"
import * as Session from "./Session.ts"
import { verify } from "./verify.ts"

export interface KeyFormProps {
  readonly label: string
  readonly hint?: string
  readonly submit: string
  /** Set for a form that accepts the administrator's key only. */
  readonly isForAdministrators?: boolean
  /** A message to begin with. */
  readonly message?: string | undefined
  readonly onDone?: () => void
}

export const KeyForm = ({ hint, isForAdministrators = false, label, message, onDone, submit }: KeyFormProps) => {
  const [key, setKey] = useState("")
  const [error, setError] = useState(message)
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    const verdict = await verify(key.trim())
    setBusy(false)
    if (verdict._tag === "Refused") return setError(verdict.message)
    if (isForAdministrators && verdict.keys.adminKey === undefined) {
      return setError("This is an API key, and the administrator's key is needed.")
    }
    setError(undefined)
    setKey("")
    Session.addKeys(verdict.keys)
    onDone?.()
  }
  return (
    <form
      class="key-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextField
        label={label}
        hint={hint}
        error={error}
        type="password"
        name="key"
        autocomplete="off"
        spellcheck={false}
        autofocus
        required
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <CheckField
        label="Remember in this tab"
        checked={Session.isRemembered.value}
        onChange={(isChecked) => (Session.isRemembered.value = isChecked)}
      />
      <Button type="submit" kind="primary" disabled={isBusy}>
        {submit}
      </Button>
    </form>
  )
}

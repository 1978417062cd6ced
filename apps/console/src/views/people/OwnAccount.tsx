/**
 * The account of the user of the API key, as a form.
 */
import type { Account as AccountRecord } from "@mfgdata/domain/Account"
import { useState } from "preact/hooks"
import * as Account from "../../service/Account.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { TextField } from "../../ui/Field.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useLoad } from "../../ui/useLoad.ts"

interface Draft {
  readonly firstName: string
  readonly lastName: string
  readonly phone: string
  readonly about: string
  readonly avatarUrl: string
}

const labels: { readonly [F in keyof Draft]: string } = {
  firstName: "First name",
  lastName: "Last name",
  phone: "Phone",
  about: "About",
  avatarUrl: "Address of the picture"
}

const fields = Object.keys(labels) as ReadonlyArray<keyof Draft>

const draftOf = ({ about, avatarUrl, firstName, lastName, phone }: AccountRecord): Draft => ({
  firstName,
  lastName,
  phone: phone ?? "",
  about,
  avatarUrl: avatarUrl ?? ""
})

const orNull = (text: string): string | null => (text === "" ? null : text)

const Form = ({ account, onChange }: { readonly account: AccountRecord; readonly onChange: () => void }) => {
  const before = draftOf(account)
  const [draft, setDraft] = useState(before)
  const [error, setError] = useState<unknown>(undefined)
  const errors = messagesByField(error)
  const isChanged = fields.some((field) => draft[field] !== before[field])
  const save = async () => {
    setError(undefined)
    try {
      const { avatarUrl, phone, ...rest } = draft
      await Account.perform("updatePublicAccount", { id: account.id, ...rest, phone: orNull(phone) })
      if (avatarUrl !== before.avatarUrl) await Account.perform("updateAvatar", { avatarUrl: orNull(avatarUrl) })
      Toasts.show("Your account is saved.")
      onChange()
    } catch (cause) {
      setError(cause)
    }
  }
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div class="person-fields">
        {fields.map((field) => (
          <TextField
            key={field}
            label={labels[field]}
            value={draft[field]}
            error={errors.get(field)}
            onInput={({ currentTarget }) => setDraft({ ...draft, [field]: currentTarget.value })}
          />
        ))}
      </div>
      <ErrorMessage error={error} />
      <p class="row">
        <Button type="submit" kind="primary" disabled={!isChanged}>
          Save account
        </Button>
        <Button disabled={!isChanged} onClick={() => setDraft(before)}>
          Discard
        </Button>
      </p>
    </form>
  )
}

export const OwnAccount = ({ id, onChange }: { readonly id: string; readonly onChange: () => void }) => {
  const { error, reload, value } = useLoad((signal) => Account.perform("getAccount", { id }, signal), [id])
  return (
    <section class="card world-card">
      <h2>Your account</h2>
      <ErrorMessage error={error} />
      {value === undefined ? null : (
        <>
          <p class="hint">
            <bdi>{value.email}</bdi>, user <code>{value.id}</code>
          </p>
          <Form
            key={JSON.stringify(draftOf(value))}
            account={value}
            onChange={() => {
              reload()
              onChange()
            }}
          />
        </>
      )}
    </section>
  )
}

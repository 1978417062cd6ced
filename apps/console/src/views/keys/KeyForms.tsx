/**
 * The dialogs of keys: create one, roll one, revoke one, and show a new one once.
 */
import type * as AdminApi from "@mfgdata/client/AdminApi"
import { useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import { Button } from "../../ui/Button.tsx"
import { copy } from "../../ui/clipboard.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FormDialog } from "../../ui/FormDialog.tsx"
import * as Moment from "../../ui/moment.ts"
import * as Toasts from "../../ui/Toasts.tsx"
import { isOfSession, type IssuedKey, type KeyRecord } from "./KeyRecord.ts"
import { everything, ScopeFields, scopesOf } from "./ScopeFields.tsx"

interface Issuing {
  readonly onClose: () => void
  /** Receives the new key, after the dialog has closed. */
  readonly onIssued: (key: IssuedKey) => void
}

export const CreateKey = ({ onClose, onIssued }: Issuing) => {
  const [name, setName] = useState("")
  const [userId, setUserId] = useState("")
  const [companyId, setCompanyId] = useState("")
  const [expiry, setExpiry] = useState("")
  const [draft, setDraft] = useState(everything)
  const expiresAt = Moment.parse(expiry)
  const create = async () => {
    if (expiry !== "" && expiresAt === undefined) throw new Error(Moment.expected)
    const scopes = scopesOf(draft)
    if (scopes.length === 0) throw new Error("Choose at least one scope.")
    const fields = {
      name,
      scopes,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(userId === "" ? {} : { userId }),
      ...(companyId === "" ? {} : { companyId })
    }
    // The service checks the form of ids and scopes.
    onIssued(await Admin.perform("createKey", fields as Admin.Fields<"createKey">))
  }
  return (
    <FormDialog title="New key" action="Create" onClose={onClose} onSubmit={create}>
      {(error) => {
        const errors = messagesByField(error)
        return (
          <>
            <TextField
              label="Name"
              required
              value={name}
              error={errors.get("name")}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <ScopeFields draft={draft} onChange={setDraft} />
            <TextField
              label="Expires"
              value={expiry}
              placeholder="2027-03-01T09:30:00Z"
              hint="Empty: never."
              error={expiry === "" || expiresAt !== undefined ? errors.get("expiresAt") : Moment.expected}
              onInput={({ currentTarget }) => setExpiry(currentTarget.value)}
            />
            <TextField
              label="User"
              value={userId}
              hint="Empty: the first user of the service."
              error={errors.get("userId")}
              onInput={({ currentTarget }) => setUserId(currentTarget.value)}
            />
            <TextField
              label="Company"
              value={companyId}
              hint="Empty: the first company."
              error={errors.get("companyId")}
              onInput={({ currentTarget }) => setCompanyId(currentTarget.value)}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

export const RollKey = ({ onClose, onIssued, record }: Issuing & { readonly record: KeyRecord }) => {
  const [overlap, setOverlap] = useState("0")
  return (
    <FormDialog
      title={`Roll ${record.name}`}
      action="Roll"
      onClose={onClose}
      onSubmit={async () => {
        const overlapSeconds = Number(overlap)
        const fields: AdminApi.Request<"rollKey"> = { id: record.id, overlapSeconds }
        onIssued(await Admin.perform("rollKey", fields))
      }}
    >
      {(error) => (
        <>
          <p>A new key with the same scopes replaces this one.</p>
          <TextField
            label="Seconds that the old key stays valid"
            type="number"
            min={0}
            required
            value={overlap}
            error={messagesByField(error).get("overlapSeconds")}
            onInput={({ currentTarget }) => setOverlap(currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  )
}

export const RevokeKey = ({
  onClose,
  onRevoked,
  record
}: {
  readonly record: KeyRecord
  readonly onClose: () => void
  readonly onRevoked: () => void
}) => (
  <Confirm
    title={`Revoke ${record.name}`}
    action="Revoke"
    onClose={onClose}
    run={async () => {
      await Admin.perform("revokeKey", { id: record.id })
      Toasts.show(`The key ${record.name} is revoked.`)
      onRevoked()
    }}
  >
    Requests with <code>{record.preview}</code> are refused from then on.
    {isOfSession(record) ? " This page seems to use this key: it will ask for another one." : ""}
  </Confirm>
)

/** Shows a key that no other response contains. */
export const ShownKey = ({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) => (
  <Dialog title={`The key ${issued.name}`} onClose={onClose} isRequired>
    <p>Copy it now: the service keeps only a digest, and shows it this once.</p>
    <pre tabIndex={0} aria-label="The key">
      {issued.key}
    </pre>
    <p class="row">
      <Button kind="primary" icon="copy" onClick={() => void copy(issued.key)}>
        Copy
      </Button>
      <Button onClick={onClose}>Done</Button>
    </p>
  </Dialog>
)

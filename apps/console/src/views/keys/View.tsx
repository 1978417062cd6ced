/**
 * The API keys of the world: their scopes and last use; created, rolled and revoked.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { useCommands } from "../../shell/Commands.ts"
import { Page } from "../../shell/Page.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { CheckField } from "../../ui/Field.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { Time } from "../../ui/Time.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as CellText from "../data/value/CellText.ts"
import { CreateKey, RevokeKey, RollKey, ShownKey } from "./KeyForms.tsx"
import { isOfSession, type IssuedKey, type KeyRecord, stateOf } from "./KeyRecord.ts"
import { DataTable } from "../../ui/DataTable.tsx"

type Asked =
  | { readonly _tag: "Create" }
  | { readonly _tag: "Roll"; readonly record: KeyRecord }
  | { readonly _tag: "Revoke"; readonly record: KeyRecord }

const shownScopes = 6

const Scopes = ({ scopes }: Pick<KeyRecord, "scopes">) => (
  <>
    {scopes.slice(0, shownScopes).map((scope) => (
      <code key={scope} class="scope">
        {scope}
      </code>
    ))}
    {scopes.length > shownScopes ? (
      <small title={scopes.slice(shownScopes).join(" ")}>and {scopes.length - shownScopes} more</small>
    ) : null}
  </>
)

const Moment = ({ at, none }: { readonly at: string | null; readonly none: string }) =>
  at === null ? <span class="hint">{none}</span> : <Time at={at} />

const Line = ({ ask, record }: { readonly record: KeyRecord; readonly ask: (asked: Asked) => void }) => {
  const { createdAt, expiresAt, lastUsedAt, name, preview, scopes, userId } = record
  const state = stateOf(record)
  const isUnusable = state !== "active"
  return (
    <tr>
      <th scope="row">
        <bdi>{CellText.cell(name, 80)}</bdi>
        {isOfSession(record) ? <small> (of this page)</small> : null}
      </th>
      <td>
        <code>{preview}</code>
      </td>
      <td class="scope-cell">
        <Scopes scopes={scopes} />
      </td>
      <td>{userId}</td>
      <td>
        <Time at={createdAt} />
      </td>
      <td>
        <Moment at={lastUsedAt} none="never" />
      </td>
      <td>
        {state} {expiresAt === null || state === "revoked" ? null : <small>expires {expiresAt.slice(0, 10)}</small>}
      </td>
      <td>
        <Menu
          label={`Actions on ${name}`}
          button={<Icon name="more" />}
          items={[
            { title: "Roll", icon: "refresh", isDisabled: isUnusable, run: () => ask({ _tag: "Roll", record }) },
            { title: "Revoke", icon: "trash", isDisabled: isUnusable, run: () => ask({ _tag: "Revoke", record }) }
          ]}
        />
      </td>
    </tr>
  )
}

export const View = () => {
  const { error, reload, value } = useLoad((signal) => Admin.perform("listKeys", {}, { signal }), [])
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const [issued, setIssued] = useState<IssuedKey | undefined>(undefined)
  const isWhole = Address.query.value.get("all") === "true"
  const records = (value ?? [])
    .filter((record) => isWhole || stateOf(record) === "active")
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
  const close = () => setAsked(undefined)
  const receive = (key: IssuedKey) => {
    setIssued(key)
    reload()
  }
  useCommands([{ title: "New API key", icon: "key", run: () => setAsked({ _tag: "Create" }) }], [])
  return (
    <Page
      title="Keys"
      lead="The API keys of this world. The service keeps digests, so nobody can read a key again."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAsked({ _tag: "Create" })}>
          New key
        </Button>
      }
    >
      <section class="card world-card">
        <CheckField
          label="Revoked and expired keys too"
          checked={isWhole}
          onChange={(isChecked) => Address.setQuery({ all: isChecked ? "true" : undefined })}
        />
        <ErrorMessage error={error} />
        <DataTable
          label="The API keys"
          headings={["Name", "Begins with", "Scopes", "User", "Created", "Last use", "State"]}
          hasActions
        >
          {records.map((record) => (
            <Line key={record.id} record={record} ask={setAsked} />
          ))}
        </DataTable>
      </section>
      {asked === undefined ? null : asked._tag === "Create" ? (
        <CreateKey onClose={close} onIssued={receive} />
      ) : asked._tag === "Roll" ? (
        <RollKey record={asked.record} onClose={close} onIssued={receive} />
      ) : (
        <RevokeKey record={asked.record} onClose={close} onRevoked={reload} />
      )}
      {issued === undefined ? null : <ShownKey issued={issued} onClose={() => setIssued(undefined)} />}
    </Page>
  )
}

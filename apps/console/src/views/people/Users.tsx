/**
 * The accounts of users: those that keys belong to, and one that is looked up by its id.
 */
import type { Account as AccountRecord, CurrentUser } from "@mfgdata/domain/Account"
import { useState } from "preact/hooks"
import * as Account from "../../service/Account.ts"
import * as Admin from "../../service/Admin.ts"
import { ServiceError } from "../../service/ServiceError.ts"
import * as Session from "../../session/Session.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { TextField } from "../../ui/Field.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import { DataTable } from "../../ui/DataTable.tsx"

/** The most accounts that are read. */
const most = 50

/** An account; undefined for a user of another company. */
const accountOf = async (id: string, signal: AbortSignal): Promise<AccountRecord | undefined> => {
  try {
    return await Account.perform("getAccount", { id }, signal)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined
    throw error
  }
}

const rolesOf = ({ active, admin, developer, isConsoleOperator }: AccountRecord): string =>
  [
    active === false ? "inactive" : "",
    admin === true ? "administrator" : "",
    developer === true ? "developer" : "",
    isConsoleOperator ? "operator" : ""
  ]
    .filter((role) => role !== "")
    .join(", ")

export const Users = ({ user: { firstName, id: own, lastName } }: { readonly user: CurrentUser }) => {
  const [added, setAdded] = useState<ReadonlyArray<AccountRecord>>([])
  const [id, setId] = useState("")
  const [refusal, setRefusal] = useState<unknown>(undefined)
  const { error, value = [] } = useLoad(
    async (signal) => {
      const keys = Session.isAdministrator.value ? await Admin.perform("listKeys", {}, { signal }) : []
      const ids = [...new Set([own, ...keys.map(({ userId }) => String(userId))])].slice(0, most)
      const accounts = await Promise.all(ids.map((id) => accountOf(id, signal)))
      return accounts.filter((account) => account !== undefined)
    },
    [own, firstName, lastName]
  )
  const lookUp = async () => {
    setRefusal(undefined)
    try {
      const account = await Account.perform("getAccount", { id })
      setAdded([...added.filter((each) => each.id !== account.id), account])
      setId("")
    } catch (cause) {
      setRefusal(cause)
    }
  }
  const users = [...value, ...added.filter((each) => value.every(({ id }) => id !== each.id))]
  return (
    <section class="card world-card">
      <h2>Users of the company</h2>
      <p class="hint">The users of API keys. The service has no list of all users: look up another one by its id.</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void lookUp()
        }}
      >
        <TextField
          label="Id of a user"
          required
          value={id}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
        <Button type="submit" icon="search">
          Look up
        </Button>
      </form>
      <ErrorMessage error={refusal ?? error} />
      <DataTable label="The users" headings={["User", "Name", "E-mail", "Phone", "Roles"]}>
        {users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              {user.id}
              {user.id === own ? <small> (you)</small> : null}
            </th>
            <td>
              <bdi>{`${user.firstName} ${user.lastName}`}</bdi>
            </td>
            <td>
              <bdi>{user.email}</bdi>
            </td>
            <td>
              <bdi>{user.phone ?? ""}</bdi>
            </td>
            <td>{rolesOf(user)}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

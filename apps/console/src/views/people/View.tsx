/**
 * The people: the user of the API key with account, attributes and notifications, and the other users of the company.
 */
import * as Account from "../../service/Account.ts"
import { Page } from "../../shell/Page.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import { Attributes } from "./Attributes.tsx"
import { Notifications } from "./Notifications.tsx"
import { OwnAccount } from "./OwnAccount.tsx"
import { Users } from "./Users.tsx"

export const View = () => {
  const { error, reload, value } = useLoad((signal) => Account.perform("getCurrentUser", {}, signal), [])
  return (
    <Page title="People" lead="You are the user of the API key: the operations of the account act for this user.">
      <ErrorMessage error={error} />
      {value === undefined ? null : (
        <>
          <OwnAccount id={value.id} onChange={reload} />
          <Attributes />
          <Notifications />
          <Users user={value} />
        </>
      )}
    </Page>
  )
}

/**
 * The webhooks: their addresses, events and counts, their secrets, and a sample event for each.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { Button } from "../../ui/Button.tsx"
import { copy } from "../../ui/clipboard.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"
import * as Endpoint from "./Endpoint.ts"
import { EndpointForm } from "./EndpointForm.tsx"
import { DataTable } from "../../ui/DataTable.tsx"

type Asked =
  | { readonly _tag: "New" }
  | { readonly _tag: "Roll"; readonly endpoint: Endpoint.Endpoint }
  | { readonly _tag: "Secret"; readonly secret: string }

const Secret = ({ onClose, secret }: { readonly secret: string; readonly onClose: () => void }) => (
  <Dialog title="Secret" onClose={onClose}>
    <p>The receiver checks signatures with this secret.</p>
    <pre tabIndex={0}>{secret}</pre>
    <p class="row">
      <Button icon="copy" onClick={() => void copy(secret)}>
        Copy
      </Button>
    </p>
  </Dialog>
)

export const Endpoints = () => {
  const { error, reload, value } = useLoad(Endpoint.list, [])
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const close = () => setAsked(undefined)
  const { act: attempt, refusal } = useAction(reload)
  const sample = async ({ events, table }: Endpoint.Endpoint) => {
    if (!events.includes("UPDATE")) {
      Toasts.show("This webhook takes no UPDATE events: change a row to send one.", { kind: "error" })
      return
    }
    const key = await Endpoint.sendSample(table)
    if (key === undefined) Toasts.show(`${table} has no row that could be a sample: create one.`, { kind: "error" })
    else Toasts.show(`Sent an UPDATE of ${table} ${key}, whose fields are as before.`)
  }
  return (
    <>
      <p class="row">
        <Button icon="plus" onClick={() => setAsked({ _tag: "New" })}>
          New webhook
        </Button>
      </p>
      <ErrorMessage error={refusal ?? error} />
      {value === undefined ? null : value.length === 0 ? (
        <p class="hint">A webhook sends the changes of a table to an address.</p>
      ) : (
        <DataTable
          label="Webhooks"
          headings={["Name", "Changes of", "Address", "State", "Delivered", "Failed"]}
          numbers={["Delivered", "Failed"]}
          hasActions
        >
          {value.map((endpoint) => {
            const { active, errorCount, events, id, name, successCount, table, url } = endpoint
            return (
              <tr key={id}>
                <th scope="row">
                  <a href={Address.href(`/webhook/${encodeURIComponent(id)}`)}>{name}</a>
                </th>
                <td>
                  {Catalogue.find(table) === undefined ? table : <a href={Address.href(`/${table}`)}>{table}</a>}{" "}
                  <small>{events.join(", ")}</small>
                </td>
                <td class="address">{url === Endpoint.catchUrl() ? "caught here" : url}</td>
                <td>{active ? "active" : "off"}</td>
                <td class="number">{successCount}</td>
                <td class="number">{errorCount}</td>
                <td>
                  <Menu
                    label={`Actions on ${name}`}
                    button={<Icon name="more" />}
                    items={[
                      {
                        title: "Deliveries",
                        icon: "traffic",
                        run: () => Address.setQuery({ tab: "deliveries", webhook: id, delivery: undefined })
                      },
                      {
                        title: "Send a sample event",
                        icon: "play",
                        run: () => void attempt(() => sample(endpoint))
                      },
                      {
                        title: active ? "Switch off" : "Switch on",
                        icon: active ? "pause" : "check",
                        run: () => void attempt(() => Endpoint.activate(id, !active))
                      },
                      {
                        title: "Show the secret",
                        icon: "key",
                        run: () =>
                          void attempt(async () => {
                            const { secret } = await Admin.perform("showWebhookSecret", { id })
                            setAsked({ _tag: "Secret", secret })
                          })
                      },
                      {
                        title: "Roll the secret",
                        icon: "refresh",
                        run: () => setAsked({ _tag: "Roll", endpoint })
                      },
                      {
                        title: "Edit",
                        icon: "edit",
                        run: () => Address.navigate(`/webhook/${encodeURIComponent(id)}`)
                      }
                    ]}
                  />
                </td>
              </tr>
            )
          })}
        </DataTable>
      )}
      {asked?._tag === "New" ? <EndpointForm onClose={close} onCreated={reload} /> : null}
      {asked?._tag === "Secret" ? <Secret secret={asked.secret} onClose={close} /> : null}
      {asked?._tag === "Roll" ? (
        <Confirm
          title={`Roll the secret of ${asked.endpoint.name}`}
          action="Roll"
          onClose={close}
          run={async () => {
            const { secret } = await Admin.perform("rollWebhookSecret", { id: asked.endpoint.id })
            // The question closes after this.
            setTimeout(() => setAsked({ _tag: "Secret", secret }))
          }}
        >
          Deliveries get a signature of the new secret. For a day they have one of the old secret too.
        </Confirm>
      ) : null}
    </>
  )
}

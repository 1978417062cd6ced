/**
 * The fault rules of the world: ready sets, single rules, and how often each has fired.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { faultSets } from "../../service/operations.derived.ts"
import * as WorldState from "../../session/WorldState.ts"
import { Page } from "../../shell/Page.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useAction } from "../../ui/useAction.ts"
import { useLoad } from "../../ui/useLoad.ts"
import * as FaultText from "./FaultText.ts"
import { RuleForm } from "./RuleForm.tsx"
import { DataTable } from "../../ui/DataTable.tsx"

export const View = () => {
  const {
    error,
    reload,
    value: faults
  } = useLoad((signal) => Admin.perform("listFaults", {}, { signal }), [WorldState.version.value])
  const [isNew, setNew] = useState(false)
  const { act: change, refusal } = useAction(WorldState.changed)
  return (
    <Page
      title="Faults"
      lead="Rules that disturb requests and deliveries of this world, to see what clients make of it."
      actions={
        <>
          <Button icon="refresh" onClick={reload}>
            Refresh
          </Button>
          <Button icon="plus" onClick={() => setNew(true)}>
            New rule
          </Button>
          <Button
            kind="danger"
            disabled={faults?.length === 0}
            onClick={() => void change(() => Admin.perform("clearFaults", {}))}
          >
            Clear all
          </Button>
        </>
      }
    >
      <section class="card world-card">
        <h2>Ready sets</h2>
        <p class="row">
          {faultSets.map((set) => (
            <Button key={set} onClick={() => void change(() => Admin.perform("createFault", { set }))}>
              {set}
            </Button>
          ))}
        </p>
        <ErrorMessage error={refusal ?? error} />
      </section>
      {faults === undefined ? null : faults.length === 0 ? (
        <p role="status">No fault is on.</p>
      ) : (
        <DataTable label="Rules" headings={["Rule", "Matches", "Effect", "Fired"]} numbers={["Fired"]} hasActions>
          {faults.map((fault) => (
            <tr key={fault.id}>
              <th scope="row">{fault.name ?? fault.id}</th>
              <td>{FaultText.match(fault)}</td>
              <td>{FaultText.effect(fault)}</td>
              <td class="number">
                {fault.fired} of {fault.matched}
              </td>
              <td class="row">
                <a href={Address.href(`/traffic?fault=${encodeURIComponent(fault.id)}`)}>Traffic</a>
                <IconButton
                  icon="trash"
                  label={`Delete the rule ${fault.name ?? fault.id}`}
                  onClick={() => void change(() => Admin.perform("deleteFault", { id: fault.id }))}
                />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {isNew ? <RuleForm onClose={() => setNew(false)} /> : null}
    </Page>
  )
}

/**
 * The form of a new fault rule.
 */
import { useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import * as WorldState from "../../session/WorldState.ts"
import { CheckField, Field, SelectField, TextField } from "../../ui/Field.tsx"
import { FormDialog } from "../../ui/FormDialog.tsx"
import * as RuleDraft from "./RuleDraft.ts"

const choice = (all: string, values: ReadonlyArray<string>) => [
  { value: "", text: all },
  ...values.map((value) => ({ value, text: value }))
]

const methods = choice("Any method", ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"])
const resources = choice(
  "Any resource",
  Catalogue.resources.map(({ name }) => name)
)

export const RuleForm = ({ onClose }: { readonly onClose: () => void }) => {
  const [draft, setDraft] = useState(RuleDraft.empty)
  /** The rule as JSON, once a person edits it so. */
  const [json, setJson] = useState<string | undefined>(undefined)
  const change = (changes: Partial<RuleDraft.Draft>) => setDraft((draft) => ({ ...draft, ...changes }))
  const amount = RuleDraft.amountOf(draft.effect)
  const text = json ?? JSON.stringify(RuleDraft.ruleOf(draft), null, 2)
  const arm = async () => {
    await Admin.perform("createFault", RuleDraft.parse(text))
    WorldState.changed()
  }
  return (
    <FormDialog title="New fault rule" action="Arm" onClose={onClose} onSubmit={arm}>
      {() => (
        <>
          {json === undefined ? (
            <>
              <SelectField
                label="Effect"
                options={RuleDraft.effects}
                value={draft.effect}
                onChange={({ currentTarget }) => {
                  const chosen = RuleDraft.effects.find(({ value }) => value === currentTarget.value)
                  if (chosen === undefined) return
                  change({ effect: chosen.value, amount: chosen.value === "status" ? "503" : "500" })
                }}
              />
              {amount === undefined ? null : (
                <TextField
                  label={amount}
                  inputMode="numeric"
                  value={draft.amount}
                  onInput={({ currentTarget }) => change({ amount: currentTarget.value })}
                />
              )}
              <SelectField
                label="Requests with method"
                options={methods}
                value={draft.method}
                onChange={({ currentTarget }) => change({ method: currentTarget.value })}
              />
              <SelectField
                label="Requests to"
                options={resources}
                value={draft.resource}
                onChange={({ currentTarget }) => change({ resource: currentTarget.value })}
              />
              <TextField
                label="Percent of them"
                inputMode="decimal"
                value={draft.percent}
                onInput={({ currentTarget }) => change({ percent: currentTarget.value })}
              />
              <TextField
                label="At most so many times"
                inputMode="numeric"
                hint="Empty: until it is cleared."
                value={draft.times}
                onInput={({ currentTarget }) => change({ times: currentTarget.value })}
              />
            </>
          ) : (
            <Field label="Rule" hint="The fields are those of POST /_mock/faults.">
              {(described) => (
                <textarea
                  {...described}
                  rows={10}
                  value={json}
                  onInput={({ currentTarget }) => setJson(currentTarget.value)}
                />
              )}
            </Field>
          )}
          <CheckField
            label="Edit as JSON"
            checked={json !== undefined}
            onChange={(isChecked) => setJson(isChecked ? text : undefined)}
          />
        </>
      )}
    </FormDialog>
  )
}

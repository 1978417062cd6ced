/**
 * The fields for the scopes of a key: everything, reads only, or a choice by resource and action.
 */
import * as Catalogue from "../../service/Catalogue.ts"
import { accountActions, actions } from "../../service/operations.derived.ts"
import { SelectField } from "../../ui/Field.tsx"

/** The scopes of a form. */
export interface ScopeDraft {
  readonly kind: "all" | "read" | "chosen"
  readonly chosen: ReadonlySet<string>
}

export const everything: ScopeDraft = { kind: "all", chosen: new Set() }

/** The scopes of a draft. */
export const scopesOf = ({ chosen, kind }: ScopeDraft): ReadonlyArray<string> =>
  kind === "all" ? ["*"] : kind === "read" ? ["*:read"] : [...chosen]

const kinds = [
  { value: "all", text: "Everything" },
  { value: "read", text: "Read everything" },
  { value: "chosen", text: "Some resources and actions" }
]

const subjects: ReadonlyArray<readonly [subject: string, actions: ReadonlyArray<string>]> = [
  ["account", accountActions],
  ...Catalogue.sorted.map(({ name }) => [name, actions] as const)
]

const columns = [...new Set([...actions, ...accountActions])]

const ScopeTable = ({ draft, onChange }: ScopeFieldsProps) => {
  const toggle = (scope: string) => {
    const chosen = new Set(draft.chosen)
    if (!chosen.delete(scope)) chosen.add(scope)
    onChange({ ...draft, chosen })
  }
  return (
    <div class="scroll scopes" tabIndex={0} role="region" aria-label="Scopes by resource">
      <table>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            {columns.map((action) => (
              <th key={action} scope="col">
                {action}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {subjects.map(([subject, allowed]) => (
            <tr key={subject}>
              <th scope="row">{subject}</th>
              {columns.map((action) => {
                const scope = `${subject}:${action}`
                return (
                  <td key={action}>
                    {allowed.includes(action) ? (
                      <input
                        type="checkbox"
                        aria-label={scope}
                        checked={draft.chosen.has(scope)}
                        onChange={() => toggle(scope)}
                      />
                    ) : null}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export interface ScopeFieldsProps {
  readonly draft: ScopeDraft
  readonly onChange: (draft: ScopeDraft) => void
}

export const ScopeFields = ({ draft, onChange }: ScopeFieldsProps) => (
  <>
    <SelectField
      label="Scopes"
      options={kinds}
      value={draft.kind}
      // The values are those of the options.
      onChange={({ currentTarget }) => onChange({ ...draft, kind: currentTarget.value as ScopeDraft["kind"] })}
    />
    {draft.kind === "chosen" ? <ScopeTable draft={draft} onChange={onChange} /> : null}
  </>
)

/**
 * Compares a row at two moments.
 */
import { useState } from "preact/hooks"
import * as Admin from "../../service/Admin.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { SelectField } from "../../ui/Field.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Edits from "../data/edits/Edits.ts"
import { between, DifferenceTable } from "./Difference.tsx"
import type { HistoryProps } from "./History.tsx"

const now = ""

export const Compare = ({ resource, rowKey }: HistoryProps) => {
  const [from, setFrom] = useState<string | undefined>(undefined)
  const [to, setTo] = useState(now)
  const moments = useLoad(
    async (signal) => {
      const changes = await Admin.perform("listHistory", { resource, key: rowKey }, { signal })
      return [...new Set(changes.map(({ at }) => at))]
    },
    [resource, rowKey, Edits.sent.value]
  )
  const start = from ?? moments.value?.at(-1)
  const states = useLoad(
    async (signal) => {
      if (start === undefined) return undefined
      const at = async (moment: string) =>
        (await Edits.rows.retrieve(resource, rowKey, { signal, at: moment === now ? undefined : moment }))?.row ?? null
      return between(await at(start), await at(to))
    },
    [resource, rowKey, start, to, Edits.sent.value]
  )
  const options = (moments.value ?? []).map((at) => ({ value: at, text: at }))
  return (
    <>
      <ErrorMessage error={moments.error ?? states.error} />
      <div class="row">
        <SelectField
          label="From"
          options={options}
          value={start ?? ""}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <SelectField
          label="To"
          options={[{ value: now, text: "now" }, ...options]}
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
      </div>
      {states.value === undefined ? null : states.value.length === 0 ? (
        <p>The row is the same at both moments.</p>
      ) : (
        <DifferenceTable differences={states.value} from={start ?? ""} to={to === now ? "now" : to} />
      )}
    </>
  )
}

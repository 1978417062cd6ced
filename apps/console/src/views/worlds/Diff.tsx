/**
 * The differences between two worlds, or between a world and a saved state of it, as two columns.
 */
import type { Json } from "@mfgdata/domain/Json"
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { TextField } from "../../ui/Field.tsx"
import { Pairs } from "../../ui/records/Pairs.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import type { WorldDiff } from "./WorldInfo.ts"

/** The differences of one request; more are loaded on demand. */
const page = 200

const shownCharacters = 200

const Value = ({ value }: { readonly value: Json | undefined }) => {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
  return <bdi>{text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}</bdi>
}

interface Line {
  readonly key: string
  readonly from: ReadonlyMap<string, Json>
  readonly to: ReadonlyMap<string, Json>
  readonly kind: "added" | "removed" | "changed"
}

/** The differing rows of a resource, each with the fields of both sides. */
const linesOf = (
  resource: string,
  { added, changed, removed }: WorldDiff["resources"][string]
): ReadonlyArray<Line> => {
  const column = Catalogue.find(resource)?.key ?? "id"
  const whole = (row: { readonly [name: string]: Json }) =>
    new Map(Object.entries(row).filter(([, value]) => value !== null))
  return [
    ...removed.map((row) => ({ key: String(row[column]), kind: "removed" as const, from: whole(row), to: new Map() })),
    ...added.map((row) => ({ key: String(row[column]), kind: "added" as const, from: new Map(), to: whole(row) })),
    ...changed.map(({ fields, key }) => ({
      key,
      kind: "changed" as const,
      from: new Map(Object.entries(fields).map(([name, { from }]) => [name, from])),
      to: new Map(Object.entries(fields).map(([name, { to }]) => [name, to]))
    }))
  ]
}

const Fields = ({ fields }: { readonly fields: ReadonlyMap<string, Json> }) => (
  <Pairs pairs={[...fields].map(([name, value]) => [name, <Value key={name} value={value} />] as const)} />
)

const kinds = { added: "only in the second", removed: "only in the first", changed: "changed" } as const

const Table = ({ diff, from, to }: { readonly diff: WorldDiff; readonly from: string; readonly to: string }) => (
  <div class="scroll" tabIndex={0} role="region" aria-label="Differences">
    {Object.entries(diff.resources).map(([resource, part]) => (
      <table key={resource} class="diff">
        <caption>{Catalogue.titleOf(resource)}</caption>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">{from}</th>
            <th scope="col">{to}</th>
          </tr>
        </thead>
        <tbody>
          {linesOf(resource, part).map((line) => (
            <tr key={`${line.kind} ${line.key}`}>
              <th scope="row">
                {line.key} <small>{kinds[line.kind]}</small>
              </th>
              <td>
                <Fields fields={line.from} />
              </td>
              <td>
                <Fields fields={line.to} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    ))}
  </div>
)

const Side = ({ label, name }: { readonly label: string; readonly name: "from" | "to" }) => (
  <TextField
    label={label}
    value={Address.query.value.get(name) ?? ""}
    hint="world, world:snapshot or world@time"
    onChange={({ currentTarget }) => Address.setQuery({ [name]: currentTarget.value, after: undefined })}
  />
)

export const Diff = () => {
  const query = Address.query.value
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""]
  const [cursors, setCursors] = useState<ReadonlyArray<string>>([])
  const after = cursors.at(-1)
  const { error, isLoading, value } = useLoad(
    async (signal) =>
      from === "" || to === ""
        ? undefined
        : Admin.perform("diffWorlds", { from, to, limit: page, ...(after === undefined ? {} : { after }) }, { signal }),
    [from, to, after]
  )
  const next = value?.next
  return (
    <section class="card world-card">
      <div class="row">
        <Side label="First" name="from" />
        <Side label="Second" name="to" />
      </div>
      <ErrorMessage error={error} />
      {value === undefined ? null : Object.keys(value.resources).length === 0 ? (
        <p role="status">No difference.</p>
      ) : (
        <Table diff={value} from={from} to={to} />
      )}
      <p class="row">
        {cursors.length === 0 ? null : (
          <Button onClick={() => setCursors(cursors.slice(0, -1))}>The {page} differences before</Button>
        )}
        {next === null || next === undefined ? null : (
          <Button disabled={isLoading} onClick={() => setCursors([...cursors, next])}>
            More differences
          </Button>
        )}
      </p>
    </section>
  )
}

/**
 * One row: its fields, the rows around it, its history, and the deliveries that it caused.
 */
import { useState } from "preact/hooks"
import type { Json, JsonObject } from "@mfgdata/domain/Json"
import * as Address from "../../router/Address.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import * as Keys from "../../shell/Keys.ts"
import { Page } from "../../shell/Page.tsx"
import { Button } from "../../ui/Button.tsx"
import { copy } from "../../ui/clipboard.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import type { ViewProps } from "../View.ts"
import * as EditQueue from "../data/edits/EditQueue.ts"
import * as Edits from "../data/edits/Edits.ts"
import { Review } from "../data/edits/Review.tsx"
import * as CellText from "../data/value/CellText.ts"
import * as Choices from "../data/value/Choices.ts"
import { Causes } from "./Causes.tsx"
import { Compare } from "./Compare.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { History } from "./History.tsx"
import { Relations } from "./Relations.tsx"
import { RowForm } from "../data/edits/RowForm.tsx"

const tabs = [
  { name: "fields", title: "Fields" },
  { name: "history", title: "History" },
  { name: "compare", title: "Compare" },
  { name: "deliveries", title: "Deliveries" },
  { name: "why", title: "Why" }
] as const

type Tab = (typeof tabs)[number]["name"]

const isTab = (name: string | null): name is Tab => tabs.some((tab) => tab.name === name)

interface RowProps {
  readonly resource: Catalogue.ResourceInfo
  readonly rowKey: string
}

const Fields = ({ resource, row, rowKey }: RowProps & { readonly row: JsonObject }) => {
  const edit = EditQueue.find(Edits.queue.value, resource.name, rowKey)
  const update = edit?._tag === "Update" ? edit : undefined
  const fields = resource.columns.map((column) => {
    const input = update?.inputs[column.name]
    const problem = input?.problem ?? update?.failure?.fields[column.name]
    return { column, value: row[column.name] ?? null, input, problem }
  })
  if (edit?._tag === "Delete")
    return (
      <p class="row">
        This row is marked for deletion.
        <Button icon="undo" onClick={() => Edits.change((queue) => EditQueue.drop(queue, edit.id))}>
          Keep it
        </Button>
      </p>
    )
  return (
    <>
      {update?.failure === undefined ? null : <p class="field-error">{CellText.visible(update.failure.message)}</p>}
      <RowForm
        resource={resource}
        fields={fields}
        onInput={({ name }, input) => {
          const seen: Json = row[name] ?? null
          if (input !== undefined) Edits.update(resource.name, rowKey, name, seen, input)
        }}
      />
    </>
  )
}

const RowPage = ({ resource, rowKey }: RowProps) => {
  const [isReviewing, setReviewing] = useState(false)
  const { error, isLoading, value } = useLoad(
    async (signal) => ({ found: await Edits.rows.retrieve(resource.name, rowKey, { signal }) }),
    [resource, rowKey, Edits.sent.value]
  )
  const row = value?.found?.row
  const edits = Edits.queue.value.length
  const chosen = Address.query.value.get("tab")
  const tab: Tab = isTab(chosen) ? chosen : row === undefined && value !== undefined ? "history" : "fields"
  const review = (): void => setReviewing(true)
  Keys.useKeys([{ keys: "mod+Enter", title: "Review the edits", isGlobal: true, run: review }], [])
  const place = { resource: resource.name, rowKey }
  return (
    <Page
      title={
        <>
          {resource.name} <bdi>{CellText.cell(rowKey, 60)}</bdi>
        </>
      }
      lead={
        <>
          <a href={Address.href(`/${resource.name}`)}>All {resource.name}</a>
          {row === undefined ? null : (
            <>
              {" · "}
              <bdi>{CellText.cell(Choices.titleOf(resource, row), 120)}</bdi>
            </>
          )}
        </>
      }
      actions={
        <>
          <Button kind={edits > 0 ? "primary" : "quiet"} disabled={edits === 0} onClick={review}>
            {edits === 0 ? "No edits" : `Review ${edits}`}
          </Button>
          {row === undefined ? null : (
            <>
              <Button icon="copy" kind="quiet" onClick={() => void copy(JSON.stringify(row, undefined, 2))}>
                Copy as JSON
              </Button>
              <Button
                icon="trash"
                kind="danger"
                onClick={() => {
                  Edits.toggleDeletion(resource.name, [{ key: rowKey, base: row }])
                  review()
                }}
              >
                Delete
              </Button>
            </>
          )}
        </>
      }
    >
      <ErrorMessage error={error} />
      {value !== undefined && row === undefined && !isLoading ? (
        <p class="warning">No {resource.name} has this key now.</p>
      ) : null}
      <div class="row-view">
        <Tabs
          label="Parts of the row"
          tabs={tabs}
          selected={tab}
          onSelect={(name) => Address.setQuery({ tab: name === "fields" ? undefined : name })}
        >
          {tab === "fields" ? (
            row === undefined ? null : (
              <Fields {...place} resource={resource} row={row} />
            )
          ) : tab === "history" ? (
            <History {...place} />
          ) : tab === "compare" ? (
            <Compare {...place} />
          ) : tab === "deliveries" ? (
            <Deliveries {...place} />
          ) : (
            <Causes {...place} />
          )}
        </Tabs>
        {row === undefined ? null : <Relations resource={resource} row={row} />}
      </div>
      {isReviewing ? <Review onClose={() => setReviewing(false)} /> : null}
    </Page>
  )
}

export const View = ({ params }: ViewProps) => {
  const resource = Catalogue.find(params["resource"] ?? "")
  const rowKey = params["key"] ?? ""
  return resource === undefined ? (
    <Page title="Nothing is here">
      <p>The service has no resource {CellText.cell(params["resource"])}.</p>
    </Page>
  ) : (
    <RowPage key={`${resource.name} ${rowKey}`} resource={resource} rowKey={rowKey} />
  )
}

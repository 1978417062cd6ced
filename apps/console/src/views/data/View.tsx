/**
 * The rows of a resource: a grid over the row interface, whose query is the address of the page.
 */
import { useMemo, useRef, useState } from "preact/hooks"
import type { Json } from "@mfgdata/domain/Json"
import * as Address from "../../router/Address.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import * as World from "../../session/World.ts"
import * as Commands from "../../shell/Commands.ts"
import * as Keys from "../../shell/Keys.ts"
import { Page } from "../../shell/Page.tsx"
import { Button, IconButton } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Menu } from "../../ui/Menu.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import type { ViewProps } from "../View.ts"
import { DraftDialog } from "./edits/DraftDialog.tsx"
import * as Edits from "./edits/Edits.ts"
import { Review } from "./edits/Review.tsx"
import { Grid } from "./grid/Grid.tsx"
import { GridKeys } from "./grid/GridKeys.tsx"
import * as GridLine from "./grid/GridLine.ts"
import type * as GridMove from "./grid/GridMove.ts"
import { useRowWindow } from "./grid/useRowWindow.ts"
import * as GridActs from "./GridActs.ts"
import { ColumnChoice } from "./query/ColumnChoice.tsx"
import * as GridQuery from "./query/GridQuery.ts"
import { QueryBar } from "./query/QueryBar.tsx"
import * as SavedView from "./query/SavedView.ts"
import { ViewChoice } from "./query/ViewChoice.tsx"
import { ExportDialog } from "./transfer/ExportDialog.tsx"
import { ImportDialog } from "./transfer/ImportDialog.tsx"
import { useColumns, widths } from "./useColumns.ts"
import * as CellInput from "./value/CellInput.ts"
import * as CellText from "./value/CellText.ts"
import { ValueDialog } from "./value/ValueDialog.tsx"

type Panel = "review" | "columns" | "views" | "import" | "export" | "keys"

interface OpenValue {
  readonly row: number
  readonly column: Catalogue.ColumnInfo
}

const DataGrid = ({ resource }: { readonly resource: Catalogue.ResourceInfo }) => {
  const text = Address.search.value
  const world = World.current.value
  const query = useMemo(() => GridQuery.read(resource, text), [resource, text])
  const { window: held, version } = useRowWindow(resource, text)
  const [panel, setPanel] = useState<Panel | undefined>(undefined)
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const [openValue, setOpenValue] = useState<OpenValue | undefined>(undefined)
  const [layout, setLayout] = useState(() => SavedView.read(localStorage, resource.name))
  const selection = useRef<{ readonly place: GridMove.Place; readonly range: GridMove.Range } | undefined>(undefined)
  /** The whole value of the cell that is open, as the person saw it. */
  const seen = useRef<Json>(null)
  const columns = useColumns(resource, query, held.held()[0]?.[1].values)
  const queue = Edits.queue.value
  const lines = useMemo(() => GridLine.make(resource, held, queue), [resource, held, queue, version])
  const acts = useMemo(() => GridActs.make(lines, columns), [lines, columns])
  const { exact, rows } = held.length()

  const show = (next: GridQuery.GridQuery, isReplaced = false): void => {
    const search = GridQuery.toText(resource, next)
    Address.navigate(`/${resource.name}${search === "" ? "" : `?${search}`}`, { replace: isReplaced })
  }
  const keep = (next: SavedView.Layout): void => {
    setLayout(next)
    if (!SavedView.write(localStorage, resource.name, next))
      Toasts.show("The browser does not keep views for this page.", { kind: "error" })
  }
  const count = async (): Promise<void> => {
    try {
      const all = { ...GridQuery.finished(resource, query), order: [], columns: [], limit: undefined }
      held.count(await Edits.rows.count(resource.name, GridQuery.toText(resource, all)))
    } catch (error) {
      Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
    }
  }
  const pasteRows = async (): Promise<void> => {
    try {
      acts.paste({ row: -1, column: 1 }, await navigator.clipboard.readText(), true)
    } catch {
      Toasts.show("The browser did not allow to read the clipboard. Press Ctrl+Shift+V in the grid.", { kind: "error" })
    }
  }
  const onSelected = (act: (range: GridMove.Range, place: GridMove.Place) => unknown) => (): void => {
    const { current } = selection
    if (current !== undefined) act(current.range, current.place)
  }
  const review = (): void => setPanel("review")
  const add = (): void => setDraft(acts.add())
  const close = (): void => setPanel(undefined)

  const commands: ReadonlyArray<Commands.Command> = [
    { title: "Saved views", icon: "book", run: () => setPanel("views") },
    { title: "Import CSV", icon: "upload", run: () => setPanel("import") },
    { title: "Export", words: "csv json ndjson", icon: "download", run: () => setPanel("export") },
    { title: "Paste rows", icon: "plus", run: () => void pasteRows() },
    { title: "Copy the cell as JSON", icon: "copy", run: onSelected((_, place) => acts.copyCell(place)) },
    { title: "Copy the row as JSON", icon: "copy", run: onSelected((_, place) => acts.copyRow(place)) },
    { title: "Duplicate the rows", icon: "copy", keys: "Ctrl+D", run: onSelected(acts.duplicate) },
    { title: "Delete the rows", icon: "trash", keys: "Delete", run: onSelected(acts.remove) },
    { title: "Undo the last edit", icon: "undo", keys: "Ctrl+Z", run: Edits.undo },
    { title: `Reference of ${resource.name}`, icon: "book", run: () => open(`/docs#${resource.name}`) },
    { title: "Keys of the grid", icon: "book", run: () => setPanel("keys") }
  ]
  const toolbar: ReadonlyArray<Commands.Command> = [
    { title: `New ${resource.name}`, icon: "plus", run: add },
    { title: "Review the edits", icon: "check", keys: "Ctrl+Enter", run: review },
    { title: "Choose columns", icon: "columns", run: () => setPanel("columns") },
    { title: "Count the rows", icon: "table", run: () => void count() }
  ]
  Commands.useCommands([...toolbar, ...commands], [resource, query, acts, layout])
  Keys.useKeys([{ keys: "mod+Enter", title: "Review the edits", isGlobal: true, run: review }], [])

  return (
    <Page
      title={Catalogue.titleOf(resource.name)}
      isFilled
      actions={
        <>
          <Button icon="plus" onClick={add}>
            New
          </Button>
          <Button kind={queue.length > 0 ? "primary" : "quiet"} disabled={queue.length === 0} onClick={review}>
            {queue.length === 0 ? "No edits" : `Review ${queue.length}`}
          </Button>
          <IconButton icon="columns" label="Choose columns" onClick={() => setPanel("columns")} />
          <IconButton icon="refresh" label="Load again" onClick={held.refresh} />
          <Menu
            label="More"
            button="More"
            items={commands.map(({ icon, run, title }) => ({ title, run, ...(icon === undefined ? {} : { icon }) }))}
          />
        </>
      }
    >
      <div class="data-view" key={world}>
        <QueryBar resource={resource} query={query} onChange={show} />
        <ErrorMessage error={held.error()} />
        <Grid
          resource={resource}
          columns={columns}
          lines={lines}
          order={query.order}
          widthOf={({ name, type }) => layout.widths[name] ?? widths[type]}
          acts={acts}
          onDraft={setDraft}
          onOpen={(row, column) => setOpenValue({ row, column })}
          onReview={review}
          onSort={(column, isFurther) => show(GridQuery.withNextOrder(query, column, isFurther))}
          onResize={(column, width) => keep(SavedView.withWidth(layout, column, width))}
          onCount={count}
          onActive={(place, range) => (selection.current = { place, range })}
        />
        <p class="row data-status">
          <span role="status">
            {held.isLoading() && rows === 0 ? "Loading" : `${rows.toLocaleString()} rows${exact ? "" : " so far"}`}
          </span>
          {exact ? null : (
            <Button kind="quiet" onClick={() => void count()}>
              Count
            </Button>
          )}
        </p>
        {openValue === undefined ? null : (
          <ValueDialog
            column={openValue.column}
            load={async () => {
              const { column, row } = openValue
              seen.current = await acts.whole(row, column.name)
              const line = GridLine.at(lines, row)
              return GridLine.cell(line, column.name).isChanged
                ? GridLine.editable(line, column.name)
                : CellInput.toText(seen.current)
            }}
            onDone={(text) => {
              acts.edit(openValue.row, openValue.column, text, seen.current)
              setOpenValue(undefined)
            }}
            onClose={() => setOpenValue(undefined)}
          />
        )}
        {draft === undefined ? null : (
          <DraftDialog resource={resource} id={draft} onReview={review} onClose={() => setDraft(undefined)} />
        )}
        {panel === "review" ? <Review onClose={close} /> : null}
        {panel === "columns" ? (
          <ColumnChoice
            resource={resource}
            chosen={query.columns}
            onChange={(columns) => show({ ...query, columns }, true)}
            onClose={close}
          />
        ) : null}
        {panel === "views" ? (
          <ViewChoice
            layout={layout}
            query={GridQuery.toText(resource, query)}
            onLayout={keep}
            onOpen={(text) => show(GridQuery.read(resource, text))}
            onClose={close}
          />
        ) : null}
        {panel === "import" ? (
          <ImportDialog
            resource={resource}
            defaults={Object.fromEntries(
              Object.entries(acts.defaults()).map(([name, { value = null }]) => [name, value])
            )}
            onImported={held.refresh}
            onClose={close}
          />
        ) : null}
        {panel === "keys" ? <GridKeys onClose={close} /> : null}
        {panel === "export" ? (
          <ExportDialog resource={resource} query={GridQuery.finished(resource, query)} onClose={close} />
        ) : null}
      </div>
    </Page>
  )
}

export const View = ({ params }: ViewProps) => {
  const resource = Catalogue.find(params["resource"] ?? "")
  return resource === undefined ? (
    <Page title="Nothing is here">
      <p>
        The service has no resource {CellText.cell(params["resource"])}. <a href={Address.href("/")}>Home</a>
      </p>
    </Page>
  ) : (
    <DataGrid key={resource.name} resource={resource} />
  )
}

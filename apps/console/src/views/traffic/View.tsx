/**
 * The traffic of the world as it happens: a list that follows, and one exchange beside it.
 */
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import { useKeys } from "../../shell/Keys.ts"
import { Page } from "../../shell/Page.tsx"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Status } from "../../ui/records/Status.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import * as Toasts from "../../ui/Toasts.tsx"
import { VirtualList } from "../../ui/VirtualList.tsx"
import { ExchangeDetail } from "./ExchangeDetail.tsx"
import { FilterBar } from "./FilterBar.tsx"
import { ReplayDialog } from "./ReplayDialog.tsx"
import * as TrafficFilter from "./TrafficFilter.ts"
import { useTraffic } from "./useTraffic.ts"

const rowHeight = 32

const Line = ({ exchange }: { readonly exchange: TrafficFilter.Exchange }) => {
  const { at, fault, method, millis, status, target } = exchange
  return (
    <div class="record">
      <Status status={status} />
      <b>{method}</b>
      <code class="record-target">{target}</code>
      {fault === null ? null : <span class="warning">fault</span>}
      <small class="number">{millis.toFixed(1)} ms</small>
      <small class="number only-wide">{at.slice(11, 23)}</small>
    </div>
  )
}

/** The parameters that the service applies: a change of another one does not begin anew. */
const servedSearch = (query: URLSearchParams): string =>
  new URLSearchParams(
    [...query].filter(([name]) => TrafficFilter.parameters.some((known) => known === name))
  ).toString()

const exportHar = async (): Promise<void> => {
  try {
    const fields = { ...TrafficFilter.fieldsOf(Address.query.value), limit: 10_000 }
    saveFile("traffic.har", await Admin.download("exportTraffic", fields))
  } catch (error) {
    Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
  }
}

export const View = () => {
  const query = Address.query.value
  const [isPaused, setPaused] = useState(false)
  const [replayed, setReplayed] = useState<TrafficFilter.Exchange | undefined>(undefined)
  const { clear, error, exchanges, waiting } = useTraffic(servedSearch(query), isPaused)
  const text = query.get("text") ?? ""
  const shown = exchanges.filter((exchange) => TrafficFilter.contains(text, exchange))
  const chosen = exchanges.find(({ requestId }) => requestId === query.get("request"))
  const toggle = () => setPaused((isPaused) => !isPaused)
  useKeys([{ keys: "p", title: "Pause or follow the traffic", run: toggle }], [])
  return (
    <Page
      isFilled
      title="Traffic"
      lead={`${shown.length.toLocaleString()} requests, the newest first.`}
      actions={
        <>
          <Button icon={isPaused ? "play" : "pause"} aria-pressed={isPaused} onClick={toggle}>
            {isPaused ? `Follow${waiting === 0 ? "" : ` (${waiting} new)`}` : "Pause"}
          </Button>
          <Button onClick={clear}>Clear</Button>
          <Button icon="download" onClick={() => void exportHar()}>
            HAR
          </Button>
        </>
      }
    >
      <div class="traffic">
        <FilterBar />
        <ErrorMessage error={error} />
        <div class={`list-and-detail ${chosen === undefined ? "" : "split"}`}>
          <VirtualList
            label="Requests"
            count={shown.length}
            rowHeight={rowHeight}
            keyOf={(index) => shown[index]?.sequence ?? index}
            row={(index) => {
              const exchange = shown[index]
              return exchange === undefined ? null : <Line exchange={exchange} />
            }}
            onOpen={(index) => Address.setQuery({ request: shown[index]?.requestId })}
            empty="No request yet. Every request to this world appears here."
          />
          {chosen === undefined ? null : (
            <ExchangeDetail
              exchange={chosen}
              onReplay={() => setReplayed(chosen)}
              onClose={() => Address.setQuery({ request: undefined })}
            />
          )}
        </div>
      </div>
      {replayed === undefined ? null : <ReplayDialog exchange={replayed} onClose={() => setReplayed(undefined)} />}
    </Page>
  )
}

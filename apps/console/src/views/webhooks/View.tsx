/**
 * Webhooks and their deliveries.
 */
import * as Address from "../../router/Address.ts"
import { Page } from "../../shell/Page.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { Endpoints } from "./Endpoints.tsx"

const tabs = [
  { name: "endpoints", title: "Webhooks" },
  { name: "deliveries", title: "Deliveries" }
] as const

export const View = () => {
  const selected = Address.query.value.get("tab") === "deliveries" ? "deliveries" : "endpoints"
  return (
    <Page title="Webhooks">
      <Tabs
        label="Webhooks"
        tabs={tabs}
        selected={selected}
        onSelect={(tab) => Address.setQuery({ tab: tab === "endpoints" ? undefined : tab })}
      >
        {selected === "endpoints" ? <Endpoints /> : <Deliveries />}
      </Tabs>
    </Page>
  )
}

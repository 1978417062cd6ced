/**
 * The worlds of the service: their list, the clock and the snapshots of the one that is shown, and the differences
 * between two.
 */
import * as Address from "../../router/Address.ts"
import { Page } from "../../shell/Page.tsx"
import { Clock } from "./Clock.tsx"
import { Diff } from "./Diff.tsx"
import { Snapshots } from "./Snapshots.tsx"
import { Worlds } from "./Worlds.tsx"

export const View = () =>
  Address.path.value === "/worlds/diff" ? (
    <Page title="Differences between worlds" actions={<a href={Address.href("/worlds")}>All worlds</a>}>
      <Diff />
    </Page>
  ) : (
    <Page title="Worlds" lead="Isolated copies of the whole service, each with its own rows, keys, clock and faults.">
      <Worlds />
      <Clock />
      <Snapshots />
    </Page>
  )

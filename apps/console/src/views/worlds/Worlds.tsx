/**
 * The worlds of the service: shown, forked, reset, exported and deleted.
 */
import type { WorldInfo } from "./WorldInfo.ts"
import { useState } from "preact/hooks"
import * as Address from "../../router/Address.ts"
import * as Admin from "../../service/Admin.ts"
import * as World from "../../session/World.ts"
import * as WorldState from "../../session/WorldState.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { saveFile } from "../../ui/saveFile.ts"
import { Time } from "../../ui/Time.tsx"
import * as Toasts from "../../ui/Toasts.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import { WorldForm } from "./WorldForm.tsx"
import { DataTable } from "../../ui/DataTable.tsx"

const main = "main"

type Asked =
  | { readonly _tag: "Fork"; readonly from: string }
  | { readonly _tag: "Reset"; readonly world: string }
  | { readonly _tag: "Delete"; readonly world: string }

const exportWorld = async (world: string): Promise<void> => {
  try {
    saveFile(`${world}.mfgworld.gz`, await Admin.download("exportWorld", { world }))
  } catch (error) {
    Toasts.show(error instanceof Error ? error.message : String(error), { kind: "error" })
  }
}

const Question = ({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) => {
  switch (asked._tag) {
    case "Fork":
      return <WorldForm from={asked.from} onClose={onClose} />
    case "Reset":
      return (
        <Confirm
          title={`Reset ${asked.world}`}
          action="Reset"
          onClose={onClose}
          run={async () => {
            await Admin.perform("resetWorld", { world: asked.world })
            WorldState.changed()
            Toasts.show(`The world ${asked.world} is as it was made.`)
          }}
        >
          All rows of this world become those that it began with. A snapshot keeps its present state.
        </Confirm>
      )
    case "Delete":
      return (
        <Confirm
          title={`Delete ${asked.world}`}
          action="Delete"
          onClose={onClose}
          run={async () => {
            await Admin.perform("dropWorld", { world: asked.world })
            if (World.current.value === asked.world) World.select(main)
            WorldState.changed()
          }}
        >
          The world, its rows, keys and snapshots are deleted. Its forks stay.
        </Confirm>
      )
  }
}

const Line = ({ ask, world }: { readonly world: WorldInfo; readonly ask: (asked: Asked) => void }) => {
  const { companyId, from, name, seed, state, usedAt } = world
  const isMain = name === main
  const isCurrent = World.current.value === name
  const items: ReadonlyArray<MenuItem> = [
    { title: "Show", icon: "right", isDisabled: isCurrent, run: () => World.select(name) },
    { title: "Fork", icon: "plus", run: () => ask({ _tag: "Fork", from: name }) },
    { title: "Reset", icon: "undo", isDisabled: isMain, run: () => ask({ _tag: "Reset", world: name }) },
    {
      title: `Compare with ${from ?? main}`,
      icon: "columns",
      isDisabled: isMain,
      run: () =>
        Address.navigate(`/worlds/diff?from=${encodeURIComponent(from ?? main)}&to=${encodeURIComponent(name)}`)
    },
    { title: "Export", icon: "download", isDisabled: isMain, run: () => void exportWorld(name) },
    { title: "Delete", icon: "trash", isDisabled: isMain, run: () => ask({ _tag: "Delete", world: name }) }
  ]
  return (
    <tr aria-current={isCurrent ? "true" : undefined}>
      <th scope="row">
        {name}
        {isCurrent ? <small> (shown)</small> : null}
      </th>
      <td>{from === null ? `seed ${seed ?? "of the service"}` : `fork of ${from}`}</td>
      <td>{companyId ?? ""}</td>
      <td>{state}</td>
      <td>
        <Time at={usedAt} />
      </td>
      <td>
        <Menu label={`Actions on ${name}`} button={<Icon name="more" />} items={items} />
      </td>
    </tr>
  )
}

export const Worlds = () => {
  const { error, value } = useLoad((signal) => Admin.perform("listWorlds", {}, { signal }), [WorldState.version.value])
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  return (
    <section class="card world-card">
      <div class="row">
        <h2>Worlds</h2>
        <span class="spring" />
        <Button icon="plus" onClick={() => setAsked({ _tag: "Fork", from: World.current.value })}>
          New world
        </Button>
      </div>
      <ErrorMessage error={error} />
      <DataTable
        label="The worlds of the service"
        headings={["Name", "Began as", "Company", "State", "Last request"]}
        hasActions
      >
        {value?.map((world) => (
          <Line key={world.name} world={world} ask={setAsked} />
        ))}
      </DataTable>
      {asked === undefined ? null : <Question asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

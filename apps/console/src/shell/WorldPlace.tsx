/**
 * The world switcher in the head: the whole page is then that world.
 */
import { useState } from "preact/hooks"
import * as Address from "../router/Address.ts"
import * as Admin from "../service/Admin.ts"
import * as Session from "../session/Session.ts"
import * as World from "../session/World.ts"
import * as WorldState from "../session/WorldState.ts"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"
import { useLoad } from "../ui/useLoad.ts"

const Switcher = () => {
  const [isAsked, setAsked] = useState(false)
  const { value = [] } = useLoad(
    async (signal) => (isAsked ? Admin.perform("listWorlds", {}, { signal, isSilent: true }) : []),
    [isAsked, WorldState.version.value]
  )
  const { value: current } = World.current
  const names = value.length === 0 ? [current] : value.map(({ name }) => name)
  return (
    <div class="world-place" onPointerEnter={() => setAsked(true)} onFocusIn={() => setAsked(true)}>
      <Menu
        label={`World ${current}`}
        button={
          <>
            <Icon name="world" /> {current} <Icon name="down" />
          </>
        }
        items={[
          ...names.map((name) => ({ title: name, isChecked: name === current, run: () => World.select(name) })),
          { title: "Worlds, clock and snapshots", icon: "clock" as const, run: () => Address.navigate("/worlds") }
        ]}
      />
    </div>
  )
}

export const WorldPlace = () =>
  Session.isAdministrator.value ? (
    <Switcher />
  ) : (
    <span class="world-place">
      <Icon name="world" /> {World.current.value}
    </span>
  )

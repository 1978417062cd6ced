/**
 * The place of warnings on the world of the page: a clock that does not run, faults that are on.
 */
import * as Admin from "../service/Admin.ts"
import * as Address from "../router/Address.ts"
import * as Session from "../session/Session.ts"
import * as WorldState from "../session/WorldState.ts"
import { Icon } from "../ui/Icon.tsx"
import { useLoad } from "../ui/useLoad.ts"

const Warnings = () => {
  const { value } = useLoad(
    async (signal) => {
      const [clock, faults] = await Promise.all([
        Admin.perform("readClock", {}, { signal, isSilent: true }),
        Admin.perform("listFaults", {}, { signal, isSilent: true })
      ])
      return { clock, isFaulty: faults.length > 0 }
    },
    [WorldState.version.value]
  )
  return (
    <>
      {value?.clock.frozen === true ? (
        <a
          class="warning"
          href={Address.href("/worlds")}
          aria-label="Clock frozen"
          title={`The clock of this world stopped at ${value.clock.now}`}
        >
          <Icon name="clock" /> <span class="only-wide">Clock frozen</span>
        </a>
      ) : null}
      {value?.isFaulty === true ? (
        <a class="warning" href={Address.href("/faults")} aria-label="Faults on" title="Faults are on in this world">
          <Icon name="fault" /> <span class="only-wide">Faults on</span>
        </a>
      ) : null}
    </>
  )
}

export const WorldWarnings = () => (Session.isAdministrator.value ? <Warnings /> : null)

/**
 * The head of the page: the world, warnings on its clock and faults, the health of the service, and the session.
 */
import * as Address from "../router/Address.ts"
import * as Connection from "../service/Connection.ts"
import * as Session from "../session/Session.ts"
import * as SharedSession from "../session/SharedSession.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Menu } from "../ui/Menu.tsx"
import * as Keys from "./Keys.ts"
import * as Panels from "./Panels.ts"
import { WorldPlace } from "./WorldPlace.tsx"
import { WorldWarnings } from "./WorldWarnings.tsx"

const HealthDot = () => {
  const isUp = Connection.isUp.value
  return (
    <span class={`health ${isUp ? "up" : "down"}`} role="img" aria-label={isUp ? "Service is up" : "Service is away"} />
  )
}

export const Head = () => (
  <header class="head">
    <div class="only-narrow">
      <IconButton icon="menu" label="Navigation" onClick={() => Panels.open("navigation")} />
    </div>
    <a class="brand" href={Address.href("/")}>
      mfgdata
    </a>
    <WorldPlace />
    <WorldWarnings />
    <div class="spring" />
    <Button
      kind="quiet"
      icon="search"
      aria-label={`Go to or run ${Keys.display("mod+k")}`}
      onClick={() => Panels.open("palette")}
    >
      <span class="only-wide">Go to or run</span> <kbd class="only-wide">{Keys.display("mod+k")}</kbd>
    </Button>
    <HealthDot />
    <Menu
      label="Session"
      button={<Icon name="key" />}
      items={[
        ...(Session.isAdministrator.value
          ? []
          : [{ title: "Add the administrator's key", icon: "key" as const, run: () => Panels.open("session") }]),
        { title: "Keys of the keyboard", icon: "book", run: () => Panels.open("keys") },
        { title: "Reference", icon: "book", run: () => open("/docs") },
        { title: "Sign out", icon: "out", run: SharedSession.signOut }
      ]}
    />
  </header>
)

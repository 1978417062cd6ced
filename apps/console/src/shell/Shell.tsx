/**
 * The page of somebody who has signed in.
 */
import * as Address from "../router/Address.ts"
import { KeyForm } from "../session/KeyForm.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Toasts } from "../ui/Toasts.tsx"
import { views } from "../views/views.ts"
import { CommandPalette } from "./CommandPalette.tsx"
import { Head } from "./Head.tsx"
import * as Keys from "./Keys.ts"
import { KeysHelp } from "./KeysHelp.tsx"
import { Navigation } from "./Navigation.tsx"
import * as Panels from "./Panels.ts"
import { RequestPanel } from "./RequestPanel.tsx"
import { SessionLayers } from "./SessionLayers.tsx"
import { ViewFrame } from "./ViewFrame.tsx"

const keys: ReadonlyArray<Keys.Key> = [
  { keys: "mod+k", title: "Go to or run", isGlobal: true, run: () => Panels.open("palette") },
  { keys: "?", title: "Show the keys", run: () => Panels.open("keys") },
  { keys: "g r", title: "Requests of this view", run: () => Panels.open("requests") },
  ...views.flatMap(({ key, path, title }) =>
    key === undefined ? [] : [{ keys: `g ${key}`, title, run: () => Address.navigate(path) }]
  )
]

const Panel = () => {
  switch (Panels.current.value) {
    case "palette":
      return <CommandPalette onClose={Panels.close} />
    case "keys":
      return <KeysHelp onClose={Panels.close} />
    case "requests":
      return <RequestPanel onClose={Panels.close} />
    case "session":
      return (
        <Dialog title="Administrator's key" onClose={Panels.close}>
          <KeyForm label="Administrator's key" submit="Add the key" isForAdministrators onDone={Panels.close} />
        </Dialog>
      )
    case "navigation":
      return (
        <Dialog title="Navigation" kind="side" onClose={Panels.close}>
          <div onClick={(event) => event.target instanceof HTMLAnchorElement && Panels.close()}>
            <Navigation />
          </div>
        </Dialog>
      )
    case undefined:
      return null
  }
}

export const Shell = () => {
  Keys.useKeys(keys, [])
  return (
    <>
      <a class="skip" href="#view">
        Skip to the view
      </a>
      <Head />
      <SessionLayers />
      <div class="frame">
        <Navigation />
        <ViewFrame />
      </div>
      <Toasts />
      <Panel />
    </>
  )
}

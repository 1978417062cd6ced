/**
 * Shows the view of the address: loads its chunk, sets the title of the page, and moves the focus to its heading.
 */
import { Component, type ComponentChildren, type ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import * as Address from "../router/Address.ts"
import * as Route from "../router/Route.ts"
import * as Session from "../session/Session.ts"
import { KeyForm } from "../session/KeyForm.tsx"
import { Button } from "../ui/Button.tsx"
import type { View, ViewProps } from "../views/View.ts"
import { views } from "../views/views.ts"
import { Page } from "./Page.tsx"

const loaded = new Map<string, ComponentType<ViewProps>>()

const NotFound = () => (
  <Page title="Nothing is here">
    <p>
      No view has this address. <a href={Address.href("/")}>Home</a>
    </p>
  </Page>
)

const Locked = ({ title }: { readonly title: string }) => (
  <Page title={title} lead="This view needs the administrator's key.">
    <KeyForm
      label="Administrator's key"
      hint="The value of MFG_MOCK_ADMIN_KEY of the service. Without one, the service has no administrator's interface."
      submit="Add the key"
      isForAdministrators
    />
  </Page>
)

/** Moves the focus to the heading, unless it is somewhere in the view already. */
const focusHeading = (): void => {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body || activeElement.closest(".navigation") !== null) {
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true })
  }
}

const Reload = ({ error }: { readonly error: unknown }) => (
  <div class="page">
    <p role="alert">This view could not be shown: {error instanceof Error ? error.message : String(error)}</p>
    <p>
      <Button icon="refresh" onClick={() => location.reload()}>
        Load the page again
      </Button>
    </p>
  </div>
)

/** Keeps an exception of a view away from the rest of the page. */
class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {}
  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    return "error" in this.state ? <Reload error={this.state.error} /> : this.props.children
  }
}

const Loader = ({ params, view }: { readonly params: Route.Route["params"]; readonly view: View }) => {
  const [error, setError] = useState<unknown>(undefined)
  const [, setVersion] = useState(0)
  const Shown = loaded.get(view.name)
  useEffect(() => {
    if (loaded.has(view.name)) return
    view.load().then(({ View }) => {
      loaded.set(view.name, View)
      setVersion((version) => version + 1)
    }, setError)
  }, [])
  useEffect(focusHeading, [Shown, Address.path.value])
  // The service was updated, or is away: a module that failed to load stays so until the page is loaded again.
  if (error !== undefined) return <Reload error={error} />
  return Shown === undefined ? <div class="loading" /> : <Shown params={params} />
}

export const ViewFrame = () => {
  const route = Route.find(views, Address.path.value)
  const title = route?.view.title ?? "Nothing is here"
  useEffect(() => {
    document.title = `${title} · mfgdata`
  }, [title])
  return (
    <main class="view" id="view" tabIndex={-1}>
      {route === undefined ? (
        <NotFound />
      ) : route.view.isForAdministrators === true && !Session.isAdministrator.value ? (
        <Locked title={title} />
      ) : (
        <Boundary key={route.view.name}>
          <Loader view={route.view} params={route.params} />
        </Boundary>
      )}
    </main>
  )
}

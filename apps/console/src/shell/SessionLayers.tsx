/**
 * Lies over the page while the service is away, and while it waits for another key.
 */
import * as Connection from "../service/Connection.ts"
import * as Session from "../session/Session.ts"
import { SignInAgain } from "../session/SignIn.tsx"

const Banner = () => (
  <p class="banner" role="alert">
    The service does not answer. This page looks for it, and continues when it is back.
  </p>
)

export const SessionLayers = () => {
  const session = Session.current.value
  return (
    <>
      {Connection.isUp.value ? null : <Banner />}
      {session._tag === "Expired" ? <SignInAgain refused={session.refused} /> : null}
    </>
  )
}

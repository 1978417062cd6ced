/**
 * Starts the page. The fragment of the address that a start prints is a one-time token: it is exchanged for keys, and
 * taken out of the address.
 */
import "@preact/signals"
import { render } from "preact"
import { App } from "./App.tsx"
import * as Address from "./router/Address.ts"
import * as Session from "./session/Session.ts"
import * as SharedSession from "./session/SharedSession.ts"
import { redeem } from "./session/verify.ts"
import * as Keys from "./shell/Keys.ts"
import "./style/all.css"

const tokenForm = /^#([\w-]{20,})$/

/** Signs in by the token of the address. Returns the reason of a refusal. */
const signInOnce = async (): Promise<string | undefined> => {
  const [, token] = tokenForm.exec(location.hash) ?? []
  if (token === undefined) return undefined
  history.replaceState(null, "", location.pathname + location.search)
  const verdict = await redeem(token)
  if (verdict._tag === "Refused") return verdict.message
  Session.isRemembered.value = true
  Session.signIn({ apiKey: verdict.keys.apiKey, adminKey: verdict.keys.adminKey })
  return undefined
}

const message = await signInOnce()
await SharedSession.join()
Address.follow()
Keys.listen()
const root = document.getElementById("app")
if (root !== null) render(<App message={message} />, root)

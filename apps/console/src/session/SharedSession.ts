/**
 * Shares the session among the tabs of one browser that are open at the same time, so that a link in a new tab needs no
 * key. Messages between tabs stay in the memory of the browser, and reach pages of this origin only.
 */
import * as Session from "./Session.ts"

type Message =
  | { readonly _tag: "Asked" }
  | { readonly _tag: "Shared"; readonly keys: Session.Keys; readonly isRemembered: boolean }
  | { readonly _tag: "SignedOut" }

/** The time in which another tab answers. */
const answerMillis = 150

const channel = new BroadcastChannel("mfgdata.console")

const send = (message: Message): void =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has the origin of its page only
  channel.postMessage(message)

/** Asks the other tabs for their session, and answers them from then on. Resolves when the session is known. */
export const join = (): Promise<void> =>
  new Promise((resolve) => {
    channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
      const { value } = Session.current
      switch (data._tag) {
        case "Asked":
          if (value._tag === "SignedIn") {
            send({ _tag: "Shared", keys: value.keys, isRemembered: Session.isRemembered.value })
          }
          return
        case "Shared":
          if (value._tag !== "SignedOut") return
          Session.isRemembered.value = data.isRemembered
          Session.signIn(data.keys)
          return resolve()
        case "SignedOut":
          return Session.signOut()
      }
    })
    if (Session.current.value._tag === "SignedIn") return resolve()
    send({ _tag: "Asked" })
    setTimeout(resolve, answerMillis)
  })

/** Signs out in every tab. */
export const signOut = (): void => {
  Session.signOut()
  send({ _tag: "SignedOut" })
}

/**
 * The whole page: the form that signs in, or the shell.
 */
import * as Session from "./session/Session.ts"
import { SignIn } from "./session/SignIn.tsx"
import { Shell } from "./shell/Shell.tsx"

export const App = ({ message }: { readonly message: string | undefined }) =>
  Session.current.value._tag === "SignedOut" ? <SignIn message={message} /> : <Shell />

/**
 * The first page: signs in with a key. After the service has refused a key in use, the same form lies over the page,
 * which keeps everything that was typed.
 */
import { Dialog } from "../ui/Dialog.tsx"
import { KeyForm } from "./KeyForm.tsx"

export const SignIn = ({ message }: { readonly message: string | undefined }) => (
  <main class="sign-in">
    <div class="card">
      <h1>Sign in</h1>
      <p class="lead">The key stays in this page: it is sent to this service only, and forgotten with the tab.</p>
      <KeyForm
        label="API key or administrator's key"
        hint="npm start and mfg-mock serve print an address that signs in by itself."
        submit="Sign in"
        message={message}
      />
    </div>
  </main>
)

export const SignInAgain = ({ refused }: { readonly refused: "api" | "admin" }) => (
  <Dialog title="Sign in again" isRequired onClose={() => undefined}>
    <p>
      The service no longer accepts the {refused === "admin" ? "administrator's key" : "API key"}. The page stays as it
      is, and continues with another key.
    </p>
    <KeyForm
      label={refused === "admin" ? "Administrator's key" : "API key or administrator's key"}
      submit="Continue"
      isForAdministrators={refused === "admin"}
    />
  </Dialog>
)

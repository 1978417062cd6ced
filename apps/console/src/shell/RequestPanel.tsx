/**
 * Shows the requests of the view: each as curl, `mfg` and TypeScript.
 */
import { useState } from "preact/hooks"
import * as RequestCode from "../service/RequestCode.ts"
import * as RequestLog from "../service/RequestLog.ts"
import { Button } from "../ui/Button.tsx"
import { copy } from "../ui/clipboard.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Status } from "../ui/records/Status.tsx"
import { Tabs } from "../ui/Tabs.tsx"

const languages = [
  { name: "curl", title: "curl", write: RequestCode.curl },
  { name: "mfg", title: "mfg", write: RequestCode.mfg },
  { name: "typescript", title: "TypeScript", write: RequestCode.typescript }
] as const

type Language = (typeof languages)[number]["name"]

const codeOf = (language: Language, call: RequestLog.RecordedCall): string =>
  languages.find(({ name }) => name === language)?.write(call, location.origin) ?? ""

export const RequestPanel = ({ onClose }: { readonly onClose: () => void }) => {
  const calls = RequestLog.recent.value.filter(({ page }) => page === location.pathname)
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const [language, setLanguage] = useState<Language>("curl")
  const call = calls.find(({ id }) => id === chosen) ?? calls[0]
  return (
    <Dialog title="Requests of this view" kind="wide" onClose={onClose}>
      {call === undefined ? (
        <p>This view has sent no request yet.</p>
      ) : (
        <div class="requests">
          <ul class="request-list">
            {calls.map(({ id, method, millis, status, target }) => (
              <li key={id}>
                <button type="button" aria-pressed={id === call.id} onClick={() => setChosen(id)}>
                  <b>{method}</b> <code>{target}</code> <Status status={status} />{" "}
                  {millis === undefined ? null : <small>{Math.round(millis)} ms</small>}
                </button>
              </li>
            ))}
          </ul>
          <Tabs label="Language" tabs={languages} selected={language} onSelect={setLanguage}>
            <pre class="code" tabIndex={0}>
              <code>{codeOf(language, call)}</code>
            </pre>
            <p class="row">
              <Button icon="copy" onClick={() => void copy(codeOf(language, call))}>
                Copy
              </Button>
              {call.requestId === undefined ? null : (
                <span class="hint">
                  Request <code>{call.requestId}</code>
                </span>
              )}
            </p>
          </Tabs>
        </div>
      )}
    </Dialog>
  )
}

/**
 * Lists the keys that work now.
 */
import { Dialog } from "../ui/Dialog.tsx"
import * as Keys from "./Keys.ts"

export const KeysHelp = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {Keys.current().map(({ keys, title }) => (
        <div key={keys + title}>
          <dt>
            {keys.split(" ").map((part) => (
              <kbd key={part}>{Keys.display(part)}</kbd>
            ))}
          </dt>
          <dd>{title}</dd>
        </div>
      ))}
      <div>
        <dt>
          <kbd>Tab</kbd>
        </dt>
        <dd>Next control; arrow keys move inside lists, menus and tabs</dd>
      </div>
      <div>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close</dd>
      </div>
    </dl>
  </Dialog>
)

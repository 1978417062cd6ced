/**
 * Copies text to the clipboard, and says so.
 */
import * as Toasts from "./Toasts.tsx"

export const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    Toasts.show("Copied.")
  } catch {
    Toasts.show("The browser did not allow to copy.", { kind: "error" })
  }
}

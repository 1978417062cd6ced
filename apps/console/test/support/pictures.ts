/**
 * Makes the pictures of the documentation: only with MFG_PICTURES=write, because times and keys differ between runs.
 */
import { mkdir } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Visit } from "./console.ts"

const folder = fileURLToPath(new URL("../../../../docs/pictures/", import.meta.url))

/** Makes the picture `docs/pictures/<name>.png` of a page. */
export const picture = async ({ page }: Visit, name: string): Promise<void> => {
  if (process.env["MFG_PICTURES"] !== "write") return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: `${folder}${name}.png` })
}

/**
 * Checks a page with axe against WCAG 2.2 AA.
 */
import axe from "axe-core"
import { assert } from "vitest"
import type { Visit } from "./console.ts"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

/** Fails for every violation, and names the elements. */
export const isAccessible = async ({ page }: Visit): Promise<void> => {
  // Evaluated by the debugger, so the policy of the page does not apply.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async (tags) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: { type: "tag", values: tags },
      // The lists of what passed take as long as the checks.
      resultTypes: ["violations"]
    })
    return violations.map(({ help, id, nodes }) => `${id} (${help}): ${nodes.map(({ html }) => html).join(" | ")}`)
  }, tags)
  assert.deepEqual(violations, [])
}

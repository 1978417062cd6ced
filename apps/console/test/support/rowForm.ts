/**
 * Fills the form of a row.
 */
import type { Visit } from "./console.ts"

/** Types into a field of the form of a row. */
export const type = (visit: Visit, name: string, text: string): Promise<void> =>
  visit.page.locator(`::-p-xpath(//div[@class="field"][label="${name}"]//*[self::input or self::textarea])`).fill(text)

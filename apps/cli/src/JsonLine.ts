/**
 * Explains why a line of a file is not a JSON object, with the column where JSON.parse names it.
 */

export interface Mistake {
  readonly column: number | undefined
  readonly reason: string
}

/** The column and the reason in a message of JSON.parse. */
const explained = (text: string, message: string): Mistake => {
  const [, position] = / in JSON at position (\d+)/.exec(message) ?? []
  const column =
    position !== undefined ? Number(position) + 1 : /end of JSON/.test(message) ? text.length + 1 : undefined
  const reason = message.replace(/ in JSON at position .*$/s, "").replace(/, (?:\.\.\.)?".*" is not valid JSON$/s, "")
  return { column, reason: `the line is not JSON: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` }
}

/** The mistake in a line that is not a JSON object. */
export const mistake = (text: string): Mistake => {
  try {
    JSON.parse(text)
    return { column: undefined, reason: "the line is not a JSON object" }
  } catch (error) {
    // JSON.parse throws errors alone.
    return explained(text, (error as SyntaxError).message)
  }
}

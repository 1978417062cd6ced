/**
 * Renders texts of the OpenAPI document as HTML of the reference page.
 */

/** Escapes a text for HTML, also within attributes. */
export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Renders text with `code` and **emphasis**. */
export const prose = (text: string): string =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")

const cells = (line: string, tag: "th" | "td"): string =>
  `<tr>${line
    .slice(1, -1)
    .split("|")
    .map((cell) => `<${tag}>${prose(cell.trim())}</${tag}>`)
    .join("")}</tr>`

/** Renders a table of Markdown: a head, a divider, and lines of cells. */
const markdownTable = ([head = "", , ...lines]: ReadonlyArray<string>): string =>
  `<div class="scroll" tabindex="0"><table><thead>${cells(head, "th")}</thead><tbody>${lines.map((line) => cells(line, "td")).join("")}</tbody></table></div>`

/** Renders the paragraphs and tables of a text. */
export const paragraphs = (text: string): string =>
  text
    .split("\n\n")
    .map((part) => (part.startsWith("| ") ? markdownTable(part.split("\n")) : `<p>${prose(part)}</p>`))
    .join("")

/** Renders a value as indented JSON. */
export const json = (value: unknown): string => escape(JSON.stringify(value, null, 2))

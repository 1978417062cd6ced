/**
 * Escapes the characters that would move the cursor of a terminal, colour it or reorder its text.
 */

const escapes: { readonly [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }

const escapeOne = (character: string): string =>
  escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Escapes all control and bidirectional characters. */
export const escape = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    escapeOne
  )

/** Escapes them except for the ends of lines, tabs, and the styles of the programs themselves. */
export const escapeLines = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
    /\u001B(?!\[(?:[012]|3[1236])m)|\r(?!\n)|[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    escapeOne
  )

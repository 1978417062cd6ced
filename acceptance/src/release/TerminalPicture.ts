/**
 * Draws commands and their output as a terminal in SVG. It has a background of its own, so that it is readable on light
 * and dark pages.
 */

/** A command line, with its output and messages. */
export interface Step {
  readonly command: string
  readonly stdout: string
  readonly stderr: string
}

const size = { character: 8.4, line: 20, margin: 20, head: 36 }
const colours = { background: "#1b1f27", frame: "#3d4452", text: "#e6e9ef", prompt: "#7fd08a", message: "#f2b866" }

/** Spaces are non-breaking, because renderers collapse others. */
const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(" ", "\u00a0")

interface Line {
  readonly text: string
  readonly colour: string
  readonly prompt?: true
}

const linesOf = (text: string, colour: string): ReadonlyArray<Line> =>
  text.trimEnd() === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => ({ text: line.trimEnd(), colour }))

/** The picture of steps, `columns` characters wide. Longer lines are an error, because they would be cut. */
export const draw = (title: string, columns: number, steps: ReadonlyArray<Step>): string => {
  const lines = steps.flatMap(({ command, stderr, stdout }, index): ReadonlyArray<Line> => [
    ...(index === 0 ? [] : [{ text: "", colour: colours.text }]),
    ...linesOf(command, colours.text).map((line, at) => (at === 0 ? { ...line, prompt: true as const } : line)),
    ...linesOf(stdout, colours.text),
    ...linesOf(stderr, colours.message)
  ])
  const long = lines.find(({ prompt, text }) => text.length + (prompt === undefined ? 0 : 2) > columns)
  if (long !== undefined) throw new Error(`a line is longer than ${columns} characters: ${long.text}`)
  const width = Math.ceil(columns * size.character + 2 * size.margin)
  const height = size.head + lines.length * size.line + size.margin
  const texts = lines.map(({ colour, prompt, text }, index) => {
    const shown = `${prompt === undefined ? "" : `<tspan fill="${colours.prompt}">$\u00a0</tspan>`}${escape(text)}`
    return `  <text x="${size.margin}" y="${size.head + index * size.line + 14}" fill="${colour}">${shown}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    `  <rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colours.background}" stroke="${colours.frame}"/>`,
    ...[20, 38, 56].map((x) => `  <circle cx="${x}" cy="18" r="5" fill="${colours.frame}"/>`),
    ...texts,
    "</svg>",
    ""
  ].join("\n")
}

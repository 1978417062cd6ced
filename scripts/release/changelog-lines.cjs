// Prints the lines of changelogs for changesets, which requires CommonJS: a changeset whose first line is a title becomes
// an item that begins with it, and its paragraphs are wrapped again behind the title.

const width = 120

/** The title and the text of a changeset; a title is a line without a full stop before a blank line. */
const split = (summary) => {
  const [, title, text] = /^([^\n]*[^\n.])\n\n([\s\S]+)$/.exec(summary.trim()) ?? []
  return title === undefined ? { text: summary.trim() } : { title, text }
}

/** Wraps a paragraph, whose code stays on one line; lists, tables and blocks of code remain as they are. */
const wrap = (paragraph) => {
  if (/^\s*(?:[-|>#]|\d+\.|```)/m.test(paragraph)) return paragraph.split("\n")
  const words = Array.from(paragraph.matchAll(/(?:`[^`]*`|[^\s`])+/g), ([word]) => word.replaceAll("\n", " "))
  const lines = words.splice(0, 1)
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length > width - 2) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

const getReleaseLine = async ({ summary }) => {
  const { text, title } = split(summary)
  const paragraphs = (title === undefined ? text : `**${title}.** ${text}`).split(/\n{2,}/).map(wrap)
  const lines = paragraphs.flatMap((paragraph, index) => (index === 0 ? paragraph : ["", ...paragraph]))
  return lines.map((line, index) => (index === 0 ? `- ${line}` : line === "" ? "" : `  ${line}`)).join("\n")
}

/** Names the versions of the packages that this one depends on, except those of a first release. */
const getDependencyReleaseLine = async (_, dependencies) => {
  const updated = dependencies.filter(({ oldVersion }) => oldVersion !== "0.0.0")
  const names = updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`)
  return names.length === 0 ? "" : `- Works with ${names.join(" and ")}.`
}

module.exports = { getReleaseLine, getDependencyReleaseLine }

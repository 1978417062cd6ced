// Prints the lines of changelogs for changesets, which requires CommonJS: a changeset whose first line is a title becomes
// an item that begins with it.

/** The title and the text of a changeset; a title is a line without a full stop before a blank line. */
const split = (summary) => {
  const [, title, text] = /^([^\n]*[^\n.])\n\n([\s\S]+)$/.exec(summary.trim()) ?? []
  return title === undefined ? { text: summary.trim() } : { title, text }
}

const getReleaseLine = async ({ summary }) => {
  const { text, title } = split(summary)
  const [first, ...rest] = text.split("\n")
  const lines = [title === undefined ? first : `**${title}.** ${first}`, ...rest]
  return lines.map((line, index) => (index === 0 ? `- ${line}` : line === "" ? "" : `  ${line}`)).join("\n")
}

/** Names the versions of the packages that this one depends on, except those of a first release. */
const getDependencyReleaseLine = async (_, dependencies) => {
  const updated = dependencies.filter(({ oldVersion }) => oldVersion !== "0.0.0")
  const names = updated.map(({ name, newVersion }) => `\`${name}\` ${newVersion}`)
  return names.length === 0 ? "" : `- Works with ${names.join(" and ")}.`
}

module.exports = { getReleaseLine, getDependencyReleaseLine }

// Defines which file may import which: the directions between packages, the order of the folders inside the service,
// and the sizes of files and folders. Each rule returns the sentence that is broken, or undefined.

/** The folders of apps/mock/src: a file imports from its own folder and from those before it. */
const folders = [
  "sql",
  "store",
  "world",
  "access",
  "rows",
  "account",
  "webhooks",
  "history",
  "faults",
  "traffic",
  "seeds",
  "facts",
  "telemetry",
  "admin",
  "service",
  "worlds",
  "http",
  "fidelity",
  "commands"
]

/** The folders inside one of them, in the same sense. A folder that is not named here may be imported by its siblings. */
const subfolders = {
  sql: ["text", "read", "write", "sqlite", "postgres"],
  store: ["waiting", "replicas", "migrations", "check", "sqlite", "postgres"],
  rows: ["request", "plan", "cost", "response"]
}

/** Folders that never import each other, at any depth. */
const databases = ["sqlite", "postgres"]

/** Files of apps/mock/src that every folder may import, and that import no folder. */
const foundations = ["Exchange.ts", "PostgresAddress.ts", "Reason.ts", "SettingValue.ts", "Settings.ts", "Unread.ts"]

/** Folders without HTTP. */
const plainFolders = ["sql", "store"]
const http = /^(node:)?https?2?$|^@effect\/platform(-node)?\/.*Http|\/Exchange\.ts$/

/** Packages that tests alone import. */
const testing = ["@mfgdata/testing-contract", "@mfgdata/testing-postgres", "@mfgdata/testing-server"]

/** The workspace's packages that each may import. A package that is not named here may import all of them. */
const mayImport = {
  "@mfgdata/domain": [],
  "@mfgdata/client": ["@mfgdata/domain"],
  "@mfgdata/shell": ["@mfgdata/client", "@mfgdata/domain"],
  "@mfgdata/cli": ["@mfgdata/client", "@mfgdata/domain", "@mfgdata/shell"],
  "@mfgdata/mock": ["@mfgdata/client", "@mfgdata/domain", "@mfgdata/shell"],
  ...Object.fromEntries(testing.map((name) => [name, []]))
}

/** Packages whose sources run in browsers too, with everything they may import from outside the workspace. */
const portable = { "@mfgdata/domain": ["effect"], "@mfgdata/client": ["effect", "@effect/platform"] }

/** The largest number of files in a folder of sources, and the folders that may have more. */
const maximumFiles = 20
const largeFolders = {
  "packages/domain/src": "each file is a public module",
  "packages/domain/src/resources": "one file for each resource"
}

/** Lines of a source file: past the first number its header gives the reason, past the second it is split. */
const maximumLines = { unexplained: 300, explained: 500 }
const reason = /\bone file,? because\b/i

const listed = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ")

/** May `importer`, in its sources or its tests, import `imported`, another package of the workspace? */
export const betweenPackages = (importer, inSources, imported) => {
  const allowed = mayImport[importer]
  if (allowed === undefined || allowed.includes(imported) || (!inSources && testing.includes(imported)))
    return undefined
  return `${importer} may import ${allowed.length === 0 ? "no package of the workspace" : listed(allowed)}`
}

/** May the sources of `importer` import `imported`, which is Node's or comes from a registry? */
export const fromOutside = (importer, imported) => {
  const allowed = portable[importer]
  if (allowed === undefined || allowed.includes(imported)) return undefined
  return `the sources of ${importer} import ${listed(allowed)} from outside, and nothing of Node`
}

const foldersOf = (path) => path.split("/").slice(0, -1)

const betweenSubfolders = (folder, here, there) => {
  const order = subfolders[folder]
  if (order === undefined || here === undefined || there === undefined) return undefined
  const unplaced = [here, there].find((name) => !order.includes(name))
  if (unplaced !== undefined) return `${folder}/${unplaced}/ has no place in the order of folders`
  return order.indexOf(there) <= order.indexOf(here) ? undefined : `${folder}/${here}/ comes before ${folder}/${there}/`
}

/** May `file` import the file `target`? Both are relative to apps/mock/src. */
export const betweenFolders = (file, target) => {
  const [importer, imported] = [foldersOf(file), foldersOf(target)]
  const [[here, hereBelow], [there, thereBelow]] = [importer, imported]
  if (here === undefined) {
    const allowed = !foundations.includes(file) || foundations.includes(target)
    return allowed ? undefined : `${file} imports no folder`
  }
  if (!folders.includes(here)) return `${here}/ has no place in the order of folders`
  if (there === undefined) {
    return foundations.includes(target) ? undefined : `of the top level a folder imports ${listed(foundations)} only`
  }
  const [own, other] = [importer, imported].map((path) => databases.find((name) => path.includes(name)))
  if (own !== undefined && other !== undefined && own !== other) {
    return `${listed(databases.map((name) => `${name}/`))} never import each other: move what they share one level up`
  }
  if (here === there) return betweenSubfolders(here, hereBelow, thereBelow)
  return folders.indexOf(there) < folders.indexOf(here) ? undefined : `${here}/ comes before ${there}/`
}

/** May `file`, relative to apps/mock/src, import `specifier`? */
export const aboutHttp = (file, specifier) => {
  const [folder] = foldersOf(file)
  return plainFolders.includes(folder) && http.test(specifier) ? `${folder}/ imports no HTTP` : undefined
}

/** May `file`, relative to apps/mock/src, import `specifier`? */
export const aboutShell = (file, specifier) =>
  specifier.startsWith("@mfgdata/shell/") && foldersOf(file)[0] !== "commands" && file !== "bin.ts"
    ? "only commands/ and bin.ts import the shell, which is bundled and not published"
    : undefined

/** May `internal/` and the public module in front of it know each other's types? Both are relative to the workspace. */
export const isImplementation = (file, target) =>
  foldersOf(file).at(-1) === "internal" && foldersOf(file).slice(0, -1).join("/") === foldersOf(target).join("/")

/** May a folder of sources hold `count` files? */
export const aboutFolder = (folder, count) =>
  count <= maximumFiles || Object.hasOwn(largeFolders, folder)
    ? undefined
    : `${count} files, and a folder has at most ${maximumFiles}: group them in folders by stage`

/** May a source file with this text be as long as it is? */
export const aboutLength = (file, text) => {
  const lines = text.split("\n").length - 1
  if (lines <= maximumLines.unexplained) return undefined
  if (lines > maximumLines.explained)
    return `${lines} lines, and a file has at most ${maximumLines.explained}: split it`
  const [header = ""] = /^\s*(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(text) ?? []
  return reason.test(header.replaceAll(/\s+(?:\*|\/\/)?\s*/g, " "))
    ? undefined
    : `${lines} lines: split it, or say "One file, because ..." in its header`
}

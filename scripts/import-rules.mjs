// Who may import whom: the directions between the packages, and the order of the folders inside the service.
// Each rule answers the sentence it breaks, or undefined.

/** The folders of apps/mock/src: a file imports from its own folder and from those before it. */
const folders = [
  "sql",
  "store",
  "world",
  "access",
  "rows",
  "account",
  "webhooks",
  "seeds",
  "admin",
  "service",
  "http",
  "commands"
]

/** What any folder may import from beside the folders. These stand below all of them. */
const foundations = ["Exchange.ts", "Settings.ts"]

/** Folders that know no HTTP. */
const plainFolders = ["sql", "store"]
const http = /^(node:)?https?2?$|^@effect\/platform(-node)?\/.*Http|\/Exchange\.ts$/

const testServer = "@mfgdata/testing-postgres"

/** The workspace's packages that each may import. A package that is not named here joins others, and may any. */
const mayImport = {
  "@mfgdata/domain": [],
  "@mfgdata/client": ["@mfgdata/domain"],
  "@mfgdata/cli": ["@mfgdata/client", "@mfgdata/domain"],
  "@mfgdata/mock": ["@mfgdata/client", "@mfgdata/domain"],
  [testServer]: []
}

/** Packages whose sources run in browsers too, and all that those import from outside the workspace. */
const portable = { "@mfgdata/domain": ["effect"], "@mfgdata/client": ["effect", "@effect/platform"] }

const listed = (names) => names.join(" and ")

/** May `importer`, in its sources or beside them, import `imported`, another package of the workspace? */
export const betweenPackages = (importer, inSources, imported) => {
  const allowed = mayImport[importer]
  if (allowed === undefined || allowed.includes(imported) || (!inSources && imported === testServer)) return undefined
  return `${importer} may import ${allowed.length === 0 ? "no package of the workspace" : listed(allowed)}`
}

/** May the sources of `importer` import `imported`, which is Node's or comes from a registry? */
export const fromOutside = (importer, imported) => {
  const allowed = portable[importer]
  if (allowed === undefined || allowed.includes(imported)) return undefined
  return `the sources of ${importer} import ${listed(allowed)} from outside, and nothing of Node`
}

const folderOf = (path) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : undefined)

/** May `file` import the file `target`? Both are relative to apps/mock/src. */
export const betweenFolders = (file, target) => {
  const [here, there] = [folderOf(file), folderOf(target)]
  if (here === undefined) {
    const allowed = !foundations.includes(file) || foundations.includes(target)
    return allowed ? undefined : `${file} stands below the folders and imports none`
  }
  if (!folders.includes(here)) return `${here}/ has no place in the order of folders`
  if (there === undefined) {
    return foundations.includes(target) ? undefined : `of what stands beside it a folder imports ${listed(foundations)}`
  }
  return folders.indexOf(there) <= folders.indexOf(here) ? undefined : `${here}/ comes before ${there}/`
}

/** May `file`, relative to apps/mock/src, import what is written `specifier`? */
export const aboutHttp = (file, specifier) =>
  plainFolders.includes(folderOf(file)) && http.test(specifier) ? `${folderOf(file)}/ knows no HTTP` : undefined

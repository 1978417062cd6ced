// Checks every import of every package against import-rules.mjs, then the sizes of files and folders, and looks for
// cycles, those of types included. A complaint names the file, the import and the rule.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { parseSync } from "oxc-parser"
import {
  aboutFolder,
  aboutHttp,
  aboutShell,
  aboutLength,
  betweenFolders,
  betweenPackages,
  fromOutside,
  isImplementation
} from "./import-rules.mjs"
import { packagesOf } from "./workspace.mjs"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."))
const packages = packagesOf(root)
const names = new Set(packages.map(({ manifest }) => manifest.name))
const service = "apps/mock/src/"

const slashed = (path) => path.split(sep).join("/")

const filesOf = (dir) =>
  readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = `${dir}/${entry.name}`
    if (entry.isDirectory()) return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : filesOf(path)
    return /\.m?[jt]sx?$/.test(entry.name) ? [path] : []
  })

/** Every import of a file as `{ specifier, typeOnly }`. */
const importsOf = (file, text) => {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const typeOnly = ({ start }) => /^(?:import|export)\s+type\b/.test(text.slice(start))
  const exportedFrom = staticExports.flatMap((statement) =>
    statement.entries.flatMap(({ moduleRequest }) => (moduleRequest === null ? [] : [{ ...statement, moduleRequest }]))
  )
  const constants = dynamicImports
    .map(({ moduleRequest: { start, end } }) => text.slice(start, end))
    .filter((expression) => /^(["']).*\1$/.test(expression))
  return [
    ...[...staticImports, ...exportedFrom].map((statement) => ({
      specifier: statement.moduleRequest.value,
      typeOnly: typeOnly(statement)
    })),
    ...constants.map((expression) => ({ specifier: expression.slice(1, -1), typeOnly: false }))
  ]
}

/** The rule that the import of another package breaks. */
const outward = (name, inSources, specifier) => {
  const [imported] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  if (imported === undefined) return "an import names a package or a relative file"
  if (imported === name) return undefined
  if (names.has(imported)) return betweenPackages(name, inSources, imported)
  return inSources ? fromOutside(name, imported) : undefined
}

/** The rule that the import of a file breaks. */
const inward = (dir, file, target) => {
  if (file.startsWith(`${dir}/src/`) && !target.startsWith(`${dir}/src/`)) return "sources import sources"
  // Every package may import files of the top level and of scripts.
  if (!target.startsWith(`${dir}/`) && target.includes("/") && !target.startsWith("scripts/")) {
    return "a relative import stays inside its package"
  }
  return file.startsWith(service) ? betweenFolders(file.slice(service.length), target.slice(service.length)) : undefined
}

const complaints = []
const graph = new Map()
const sizes = new Map()

/** Checks the size of a source file, and counts it for its folder. */
const measure = (file, text) => {
  const tooLong = aboutLength(file, text)
  if (tooLong !== undefined) complaints.push(`${file}: ${tooLong}`)
  sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
}

for (const { dir, manifest } of packages) {
  for (const file of filesOf(dir)) {
    const text = readFileSync(join(root, file), "utf8")
    const inSources = file.startsWith(`${dir}/src/`)
    const targets = new Set()
    for (const { specifier, typeOnly } of importsOf(file, text)) {
      const relativeTo = specifier.startsWith(".")
      const target = slashed(relative(root, resolve(root, dirname(file), specifier)))
      const broken = relativeTo ? inward(dir, file, target) : outward(manifest.name, inSources, specifier)
      const below = file.startsWith(service) ? file.slice(service.length) : undefined
      const rule =
        broken ?? (below === undefined ? undefined : (aboutHttp(below, specifier) ?? aboutShell(below, specifier)))
      if (rule !== undefined) complaints.push(`${file} imports ${specifier}: ${rule}`)
      if (relativeTo && !(typeOnly && isImplementation(file, target))) targets.add(target)
    }
    graph.set(file, targets)
    if (inSources) measure(file, text)
  }
}
if (existsSync(join(root, "scripts"))) {
  for (const file of filesOf("scripts")) measure(file, readFileSync(join(root, file), "utf8"))
}
for (const [folder, count] of sizes) {
  const tooMany = aboutFolder(folder, count)
  if (tooMany !== undefined) complaints.push(`${folder}: ${tooMany}`)
}

const walked = new Set()
const walk = (file, path) => {
  if (path.includes(file)) complaints.push(`${[...path.slice(path.indexOf(file)), file].join(" imports ")}: a cycle`)
  if (walked.has(file)) return
  walked.add(file)
  for (const target of graph.get(file) ?? []) walk(target, [...path, file])
}
for (const file of graph.keys()) walk(file, [])

for (const complaint of complaints) console.error(complaint)
console.log(`${graph.size} files, ${complaints.length} complaints`)
process.exitCode = complaints.length === 0 ? 0 : 1

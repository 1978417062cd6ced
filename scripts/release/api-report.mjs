// Prints the types of a package's public entries, from its built declarations, and compares two such reports.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { parseSync } from "oxc-parser"

/** Entries that the packages of this repository share: they may change in a minor version, as docs/stability.md says. */
const shared = /^@mfgdata\/client\/(?:contract\/|AdminApi$)/

/** A heading of declarations that are not exported, and that the types of exports use. */
const innerHeading = /^(\S+) \(not exported\)$/

const declarationsBelow = (folder, below = "") =>
  readdirSync(join(folder, below), { withFileTypes: true })
    .flatMap((entry) => {
      const path = posix.join(below, entry.name)
      if (entry.isDirectory()) return declarationsBelow(folder, path)
      return path.endsWith(".d.ts") ? [path] : []
    })
    .toSorted((one, other) => (one < other ? -1 : 1))

/** The public modules of a package, as the name of the entry and the path below dist, the main one first. */
const entriesOf = (dir, { exports, name }) => {
  const files = declarationsBelow(join(dir, "dist"))
  const places = Object.entries(exports).map(([entry, target]) => [entry, target?.types?.replace("./dist/", "")])
  const isHidden = (entry) =>
    places.some(
      ([place, target]) => target === undefined && place.endsWith("/*") && entry.startsWith(place.slice(0, -1))
    )
  const found = places.flatMap(([entry, target]) => {
    if (target === undefined) return []
    if (!target.includes("*")) return [[entry, target]]
    return files.map((file) => [entry.replace("*", () => file.replace(/\.d\.ts$/, "")), file])
  })
  return found
    .filter(([entry, file]) => !isHidden(entry) && !(entry === "./index" && file === "index.d.ts"))
    .map(([entry, file]) => ({ entry: posix.join(name, entry), file }))
    .toSorted((one, other) => Number(one.entry > other.entry) - Number(one.entry < other.entry))
}

/** A text without its comments, blank lines and source map. */
const withoutComments = (text, comments) => {
  let result = ""
  let from = 0
  for (const { end, start } of comments) {
    result += text.slice(from, start)
    from = end
  }
  return (result + text.slice(from)).replaceAll(/[ \t]+$/gm, "")
}

const specifiersOf = ({ exported, specifiers = [], source }) => {
  if (source !== null && specifiers.length === 0) return [exported?.name ?? `* from ${source.value}`]
  return specifiers.map((specifier) => specifier.exported.name)
}

const namesOf = (node) => {
  if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.declaration === null)) {
    return specifiersOf(node)
  }
  const declaration = node.declaration ?? node
  const named = declaration.declarations ?? [declaration]
  return named.flatMap(({ id }) => (id?.name === undefined ? [] : [id.name]))
}

/** The declarations of a text: its statements by name, those that share a name together. */
const parse = (file, source) => {
  const text = withoutComments(source, parseSync(file, source).comments)
  const { module, program } = parseSync(file, text)
  const declarations = new Map()
  for (const node of program.body) {
    const printed = text.slice(node.start, node.end).replaceAll(/\n\s*(?=\n)/g, "")
    if (node.type === "ImportDeclaration" || /^export \{\s*\};?$/.test(printed)) continue
    for (const name of namesOf(node)) {
      const { nodes = [], texts = [] } = declarations.get(name) ?? {}
      const isExported = node.type.startsWith("Export")
      declarations.set(name, { name, isExported, nodes: [...nodes, node], texts: [...texts, printed] })
    }
  }
  const imports = new Map(
    module.staticImports.flatMap(({ entries, moduleRequest }) =>
      entries.map(({ importName, localName }) => [
        localName.value,
        { specifier: moduleRequest.value, name: importName.name ?? undefined }
      ])
    )
  )
  return { declarations, imports }
}

const identifier = /(?<![.\w$])[A-Za-z_$][\w$]*/g
const inlineImport = /import\("([^"]+)"\)\.([\w$]+)/g
const reexport = /^export .*? from "(\.[^"]+)";?$/s

/** The report of a package: for each entry its declarations, then the declarations of other modules that these use. */
export const make = (dir, manifest) => {
  const entries = entriesOf(dir, manifest)
  // The other types of an app are its own: its entries show what they promise.
  const isApp = manifest.bin !== undefined
  const modules = new Map()
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, parse(file, readFileSync(join(dir, "dist", file), "utf8")))
    return modules.get(file)
  }
  const publicFiles = new Set(entries.map(({ file }) => file))
  const inner = new Map()
  const resolve = (from, specifier) => {
    const path = posix.join(posix.dirname(from), specifier).replace(/\.(?:ts|js)$/, ".d.ts")
    return specifier.startsWith(".") && existsSync(join(dir, "dist", path)) ? path : undefined
  }
  const use = (file, name) => {
    const { declarations } = moduleOf(file)
    const used = name === undefined ? [...declarations.keys()] : [name]
    for (const found of used.flatMap((key) => declarations.get(key) ?? [])) {
      const known = inner.get(file) ?? new Set()
      if (publicFiles.has(file) || known.has(found.name)) continue
      inner.set(file, known.add(found.name))
      follow(file, found)
    }
  }
  const follow = (file, { texts }) => {
    const { declarations, imports } = moduleOf(file)
    for (const text of texts) {
      for (const [, specifier, name] of text.matchAll(inlineImport)) {
        const target = resolve(file, specifier)
        if (target !== undefined) use(target, name)
      }
      const [, specifier] = reexport.exec(text) ?? []
      if (specifier !== undefined) use(resolve(file, specifier), undefined)
      for (const [word] of text.matchAll(identifier)) {
        if (declarations.has(word)) use(file, word)
        const imported = imports.get(word)
        const target = imported === undefined ? undefined : resolve(file, imported.specifier)
        if (target !== undefined) use(target, imported.name)
      }
    }
  }
  for (const { file } of isApp ? [] : entries) {
    for (const declaration of moduleOf(file).declarations.values()) follow(file, declaration)
  }
  const sections = entries.map(({ entry, file }) => [entry, [...moduleOf(file).declarations.values()]])
  const others = [...inner]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([file, names]) => [
      `${manifest.name}/${file.replace(/\.d\.ts$/, "")} (not exported)`,
      [...moduleOf(file).declarations.values()].filter(({ name }) => names.has(name))
    ])
  return [
    `# The types of ${manifest.name}`,
    "Generated from the build by `npm run api`. `npm test -- api` compares it with the build and with the last release.",
    ...[...sections, ...others].map(
      ([heading, declarations]) =>
        `## ${heading}\n\n\`\`\`ts\n${[...new Set(declarations.flatMap(({ texts }) => texts))].join("\n")}\n\`\`\``
    )
  ]
    .join("\n\n")
    .concat("\n")
}

/** The sections of a report: by heading, the declarations by name. */
export const read = (report) =>
  new Map(
    Array.from(report.matchAll(/^## (.+)\n\n```ts\n([\s\S]*?)\n?```$/gm), ([, heading, code]) => [
      heading,
      parse("report.d.ts", code).declarations
    ])
  )

const lists = new Set(["TSTypeLiteral.members", "TSInterfaceBody.body", "ClassBody.body"])
const positions = new Set(["start", "end", "range", "loc", "raw"])

/** Is a node the other one, or the other one with more members of its object types? */
const extendsNode = (old, node, path = "") => {
  if (old === null || typeof old !== "object") return Object.is(old, node)
  if (node === null || typeof node !== "object") return false
  if (Array.isArray(old)) {
    if (!Array.isArray(node)) return false
    if (!lists.has(path))
      return old.length === node.length && old.every((each, index) => extendsNode(each, node[index]))
    const rest = [...node]
    return old.every((each) => {
      const index = rest.findIndex((candidate) => extendsNode(each, candidate))
      rest.splice(0, index + 1)
      return index !== -1
    })
  }
  const keys = new Set([...Object.keys(old), ...Object.keys(node)])
  return [...keys].every((key) => positions.has(key) || extendsNode(old[key], node[key], `${old.type}.${key}`))
}

/** The differences between two reports, each with the size of the version that it needs from 1.0.0 on. */
export const compare = (before, after) => {
  const [old, current] = [read(before), read(after)]
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((heading) => {
    const [was, is] = [old.get(heading) ?? new Map(), current.get(heading) ?? new Map()]
    const sizeOf = (size) => (innerHeading.test(heading) ? "patch" : shared.test(heading) ? "minor" : size)
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
      const [removed, added] = [was.get(name), is.get(name)]
      const difference = (change, size) => [{ entry: heading, name, change, size: sizeOf(size) }]
      if (added === undefined) return difference("removed", "major")
      if (removed === undefined) return difference("added", "minor")
      if (removed.texts.join("\n") === added.texts.join("\n")) return []
      return extendsNode(removed.nodes, added.nodes) ? difference("extended", "minor") : difference("changed", "major")
    })
  })
}

/** The reports of a library: the current one, and that of its last release. */
export const pathsOf = (dir, { name }) => {
  const stem = join(dir, "api", name.slice(name.indexOf("/") + 1))
  return { current: `${stem}.api.md`, released: `${stem}.released.api.md` }
}

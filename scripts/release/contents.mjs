// Checks the files of a package as it is packed: those that users need without a network are there, and no others.

const always = [/^package\.json$/, /^README\.md$/, /^CHANGELOG\.md$/, /^LICENSE$/]
const library = [/^src\/.+\.ts$/, /^dist\/.+\.(?:js|js\.map|d\.ts|d\.ts\.map)$/]

/** The further files of packages. */
const own = {
  "@mfgdata/cli": [/^man\/mfg[\w-]*\.1$/],
  "@mfgdata/mock": [/^dist\/console\/.+\.(?:html|js|css|svg|png|ico|woff2|json)(?:\.br|\.gz)?$/]
}

const targetsOf = ({ bin = {}, exports = {}, man = [] }) =>
  [
    ...Object.values(bin),
    ...man,
    ...Object.values(exports).flatMap((target) =>
      target === null ? [] : typeof target === "string" ? [target] : [target.types, target.default]
    )
  ]
    .filter((path) => path !== undefined && !path.includes("*"))
    .map((path) => path.replace(/^\.\//, ""))

/** The complaints about the files of a package, as paths in it. */
export const complaintsOf = (manifest, files) => {
  const { bin = {}, exports, name, version } = manifest
  const bins = Object.values(bin).map((path) => path.replace(/^\.\//, ""))
  const allowed = [...always, ...(exports === undefined ? [] : library), ...(own[name] ?? [])]
  const present = new Set(files)
  // A package without a release has no changelog yet.
  const texts = ["README.md", "LICENSE", ...(version === "0.0.0" ? [] : ["CHANGELOG.md"])]
  const needed = [...texts, ...targetsOf(manifest)]
  const isModule = (file) => exports !== undefined && /^dist\/(?!console\/).+\.js$/.test(file) && !bins.includes(file)
  const maps = files.flatMap((file) =>
    isModule(file) ? [`${file}.map`, file.replace(/\.js$/, ".d.ts"), file.replace(/\.js$/, ".d.ts.map")] : []
  )
  return [
    ...[...new Set([...needed, ...maps])]
      .filter((file) => !present.has(file))
      .map((file) => `${name} lacks ${file}: add it, or build the package again`),
    ...files
      .filter((file) => !bins.includes(file) && !allowed.some((pattern) => pattern.test(file)))
      .map((file) => `${name} contains ${file}: leave it out in "files", or allow it in scripts/release/contents.mjs`)
  ]
}

// Makes the software bill of materials of an app, as CycloneDX: the packages that npm installs with it, and those that
// are bundled into its programs.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { build } from "esbuild"
import { options } from "../bundle-options.mjs"

const purl = ({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`

/** The manifest of the package that a file belongs to. */
const packageOf = (file) => {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json")
    // Some packages have manifests without a name in their folders.
    const { name, version } = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {}
    if (name !== undefined && version !== undefined) return { name, version }
  }
  throw new Error(`${file} belongs to no package.`)
}

/** The packages whose modules the program of an app contains. */
const bundledIn = async (dir) => {
  const before = process.cwd()
  // The options are those of the app in the working directory.
  process.chdir(dir)
  try {
    const settings = { ...options(), absWorkingDir: dir, metafile: true, write: false }
    const { metafile } = await build({ ...settings, entryPoints: ["src/bin.ts"] })
    const files = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
    return new Set(files.filter((file) => existsSync(file)).map((file) => purl(packageOf(resolve(file)))))
  } finally {
    process.chdir(before)
  }
}

/** The pages that an app serves: their dependencies are bundled into the files of the app. */
const pagesOf = { "@mfgdata/mock": "@mfgdata/console" }

/** The bill of an app in `dir`, as JSON. */
export const make = async (root, { dir, manifest }) => {
  const listOf = (name, ...args) => {
    const fixed = ["sbom", "--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--sbom-type", "application"]
    const command = [...fixed, "--filter", name, ...args]
    return JSON.parse(execFileSync("pnpm", command, { cwd: root, encoding: "utf8", maxBuffer: Infinity }))
  }
  const list = (...args) => listOf(manifest.name, ...args)
  const installed = new Set(list("--prod").components.map(({ purl }) => purl))
  const bundled = await bundledIn(join(root, dir))
  const all = list()
  const self = all.metadata.component["bom-ref"]
  bundled.delete(self)
  const pages = pagesOf[manifest.name] === undefined ? undefined : listOf(pagesOf[manifest.name], "--prod")
  const listed = new Set(all.components.map(({ purl }) => purl))
  const ofPages = (pages?.components ?? []).filter(({ purl }) => !listed.has(purl))
  for (const { purl } of pages?.components ?? []) bundled.add(purl)
  const dependencies = [
    ...all.dependencies,
    ...(pages?.dependencies ?? []).filter(({ ref }) => all.dependencies.every((other) => other.ref !== ref))
  ]
  const components = [...all.components, ...ofPages]
    .filter(({ purl }) => installed.has(purl) || bundled.has(purl))
    .map((component) =>
      bundled.has(component.purl)
        ? { ...component, properties: [{ name: "cdx:npm:package:bundled", value: "true" }] }
        : component
    )
  // The workspace's own packages that are not released are parts of the app.
  const known = new Set(components.map(({ purl }) => purl))
  const parts = [...bundled].filter((each) => !known.has(each) && !each.startsWith("pkg:npm/%40mfgdata/"))
  if (parts.length > 0) throw new Error(`${manifest.name} bundles ${parts.join(", ")}, which pnpm does not list.`)
  const isListed = (ref) => ref === self || known.has(ref)
  return {
    ...all,
    components,
    dependencies: dependencies
      .filter(({ ref }) => isListed(ref))
      .map(({ dependsOn = [], ref }) => ({ ref, dependsOn: dependsOn.filter(isListed) }))
  }
}

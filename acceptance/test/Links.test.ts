/**
 * Checks the links of every document: files and headings that they lead to exist, docs/README.md has every page, and a
 * document in a package leads to nothing outside of the package.
 */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import * as Program from "../src/Program.ts"

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: Program.root,
  encoding: "utf8"
})
  .split("\n")
  .filter((path) => path !== "" && !path.startsWith(".changeset/") && existsSync(join(Program.root, path)))

/** The text of a document without its blocks of code. */
const prose = (path: string): string =>
  readFileSync(join(Program.root, path), "utf8").replaceAll(/^ *```[\s\S]*?^ *```$/gm, "")

/** The name that a renderer gives to a heading. */
const anchor = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-")

const anchors = (path: string): ReadonlyArray<string> =>
  Array.from(prose(path).matchAll(/^#+ (.+)$/gm), ([, heading = ""]) => anchor(heading))

/** The relative links of a document, images included, each with the file and the heading that it leads to. */
const linksOf = (path: string) =>
  Array.from(
    prose(path).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g),
    ([, link, source]) => link ?? source ?? ""
  )
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = "", heading] = target.split("#")
      return { target, file: file === "" ? path : normalize(join(dirname(path), file)), heading }
    })

/** The package that publishes a document. */
const packageOf = (path: string): string | undefined =>
  /^((?:packages|apps)\/(?!console)[^/]+)\/(?:README|CHANGELOG)\.md$/.exec(path)?.[1]

describe("links of documents", () => {
  it.each(documents)("lead to files and headings: %s", (path) => {
    const dead = linksOf(path).filter(
      ({ file, heading }) =>
        !existsSync(join(Program.root, file)) || (heading !== undefined && !anchors(file).includes(heading))
    )
    assert.deepStrictEqual(
      dead.map(({ target }) => target),
      [],
      `${path} has links that lead nowhere`
    )
  })

  it("stay inside the package of a document that is published", () => {
    const outside = documents.flatMap((path) => {
      const folder = packageOf(path)
      return folder === undefined
        ? []
        : linksOf(path).flatMap(({ file, target }) => (file.startsWith(`${folder}/`) ? [] : [`${path}: ${target}`]))
    })
    assert.deepStrictEqual(outside, [])
  })

  it("of docs/README.md have every page", () => {
    const linked = new Set(linksOf("docs/README.md").map(({ file }) => file))
    const pages = documents.filter(
      (path) => path !== "docs/README.md" && !path.endsWith("CHANGELOG.md") && !path.endsWith(".released.api.md")
    )
    assert.deepStrictEqual(
      pages.filter((page) => !linked.has(page)),
      []
    )
  })
})

/**
 * Checks that the lists of docs/stability.md are those of the programs and libraries, and that this version keeps what each
 * release promised. `--update` writes the lists.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Catalogue } from "@mfgdata/domain"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Program from "../src/Program.ts"
import * as Promises from "../src/release/Promises.ts"
import * as Release from "../src/release/Release.ts"

const path = join(Program.root, "docs/stability.md")

const update = "npx vitest run --project acceptance acceptance/test/StabilityDocument.test.ts --update"

/** The promises of each package. */
const promises = await Effect.runPromise(
  Effect.scoped(
    Effect.all({
      domain: Effect.succeed(Promises.domain),
      client: Effect.sync(Promises.client),
      cli: Promises.cli,
      mock: Promises.mock
    })
  )
)

/** Short names share a line; those with flags have one each. */
const show = (names: ReadonlyArray<string>): string =>
  names.some((name) => name.startsWith("`"))
    ? names.map((name) => `- ${name}`).join("\n")
    : `${names.map((name) => `\`${name}\``).join(", ")}.`

const lists = Object.entries(promises).flatMap(([, named]) => Object.entries(named))

describe("docs/stability.md", () => {
  it.each(lists)("has a list of the %s, which is not empty", (title, names) => {
    assert.isAbove(names.length, 2)
    assert.include(readFileSync(path, "utf8"), `<!-- list: ${title} -->`)
  })

  it("has the lists of this version", async () => {
    const page = readFileSync(path, "utf8")
    const generated = lists.reduce(
      (text, [title, names]) =>
        text.replace(
          new RegExp(`(<!-- list: ${title.replaceAll("/", "\\/")} -->)[\\s\\S]*?(<!-- end -->)`),
          (_, start: string, end: string) => `${start}\n\n${show(names)}\n\n${end}`
        ),
      page
    )
    await expect(
      generated,
      `docs/stability.md differs from this version; write it anew with: ${update}`
    ).toMatchFileSnapshot(path)
  })
})

/** The commands of the documents that name one of the programs, in blocks of a shell and in the text. */
const commands = execFileSync("git", ["ls-files", "docs/*.md", "*README.md"], { cwd: Program.root, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((document) => document !== "docs/stability.md")
  .flatMap((document) => {
    const text = readFileSync(join(Program.root, document), "utf8").replaceAll(/\\\n\s*/g, " ")
    const blocks = Array.from(text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm), ([, block = ""]) => block)
    const inline = Array.from(text.matchAll(/`(mfg(?:-mock)? [^`]+)`/g), ([, command = ""]) => command)
    return [...blocks.flatMap((block) => block.split("\n")), ...inline].flatMap((line) =>
      Array.from(
        line.replace(/ #.*$/, "").matchAll(/(?<![\w/.-])(mfg(?:-mock)?) ([^|;&$()]*)/g),
        ([, program = "", rest = ""]) => ({
          document,
          program,
          words: rest.trim().split(/\s+/)
        })
      )
    )
  })

const resources = new Set(Catalogue.resources.map(({ resource }): string => resource))

/** The flags of each command of both programs. */
const known = new Map(
  [...Object.values(promises.cli), ...Object.values(promises.mock)].flat().flatMap((name): Array<[string, string]> => {
    const [, command = "", flags = ""] = /^`(mfg[^`]*)`(?:: (.*))?$/.exec(name) ?? []
    return command === "" ? [] : [[command, flags]]
  })
)

/** Flags that every command has. */
const everywhere = new Set(["--help", "--version", "--output", "--profile", "--verbose", "--trace", "--ca"])

describe("commands of the documents", () => {
  it("exist, with each of their flags", () => {
    const wrong = commands.flatMap(({ document, program, words }) => {
      const [first = "", second = ""] = words
      const group = program === "mfg" && resources.has(first) ? "<resource>" : first
      const flags = known.get(`${program} ${group} ${second}`) ?? known.get(`${program} ${group}`)
      // A group of commands, the help of one, or words of a sentence, such as `mfg <command>`.
      const isGroup = [...known.keys()].some((command) => command.startsWith(`${program} ${group} `))
      if (flags === undefined) {
        return isGroup || first === "help" || !/^[a-z]+$/.test(first)
          ? []
          : [`${document}: ${program} ${words.join(" ")}`]
      }
      return words
        .flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
        .filter((flag) => !everywhere.has(flag) && !flags.includes(`\`${flag}\``) && group !== "<resource>")
        .map((flag) => `${document}: ${program} ${words.join(" ")}: ${flag}`)
    })
    assert.isAbove(commands.length, 150)
    assert.deepStrictEqual(wrong, [])
  })
})

describe("the names that a version lacks", () => {
  it("are those of lists, commands and flags, each by its list", () => {
    const before = { codes: ["P1", "P2"], commands: ["`mfg list`: `--all`, `--where`", "`mfg get`"], tags: ["A"] }
    const now = { codes: ["P2", "P3"], commands: ["`mfg list`: `--new`, `--where`"] }
    assert.deepStrictEqual(Promises.missing(before, now), [
      "codes: P1",
      "commands: `mfg list` `--all`",
      "commands: `mfg get`",
      "tags: A"
    ])
    assert.deepStrictEqual(Promises.missing(now, now), [])
  })
})

const major = (version: string) => version.split(".")[0]

for (const [name, now] of Object.entries(promises)) {
  // The keys of the promises are the names of the packages.
  const current = Release.current(name as keyof typeof promises)
  const files = await Release.fixture(name as keyof typeof promises, "promises.json", () =>
    Promise.resolve(`${JSON.stringify(now, undefined, 2)}\n`)
  )
  describe(`the promises of @mfgdata/${name}`, () => {
    it.each(files.versions.filter((version) => major(version) === major(current)))("of %s are kept", (version) => {
      const before: Promises.Promises = JSON.parse(files.read(version).toString())
      assert.deepStrictEqual(
        Promises.missing(before, now),
        [],
        current === "0.0.0"
          ? `nothing was released yet: ${Release.command}`
          : `${version} has these, and @mfgdata/${name} ${current} must keep them until the next major version`
      )
    })
  })
}

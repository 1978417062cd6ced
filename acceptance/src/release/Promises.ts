/**
 * Lists what users of this version may rely on: commands, flags, variables, codes, tags, spans and metrics, read off the
 * built programs and the libraries.
 */
import * as Client from "@mfgdata/client"
import { Catalogue, OperationError, RowError } from "@mfgdata/domain"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../Bin.ts"
import * as BuiltService from "../BuiltService.ts"
import * as Program from "../Program.ts"
import * as Tree from "../Tree.ts"

/** Names by the list that they are in. */
export type Promises = { readonly [list: string]: ReadonlyArray<string> }

const unique = (texts: Iterable<string>): ReadonlyArray<string> => [...new Set(texts)].toSorted()

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  unique(Array.from(text.matchAll(pattern), ([all, name = all]) => name))

export const domain: Promises = {
  "codes of the row interface": Object.keys(RowError.meanings).toSorted(),
  "codes of the operation interface": Object.entries(OperationError.statuses).map(
    ([code, status]) => `${code} (${status})`
  )
}

/** The source texts of a library, as built into a program. */
const sourceOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n")

const attributes = /"((?:mfg|http|url|server|error|network|client|db)\.[a-z_.]+)"/g

const isError = (exported: unknown): exported is new (...args: ReadonlyArray<never>) => Error =>
  typeof exported === "function" && exported.prototype instanceof Error

export const client = (): Promises => {
  const source = sourceOf(join(Program.root, "packages/client/src"))
  return {
    "error tags of the client": unique(Object.values(Client).flatMap((each) => (isError(each) ? [each.name] : []))),
    "variables of the client": matches(source, /"(MFG_[A-Z_]*[A-Z])"/g),
    "metrics of the client": matches(source, /"(mfg_client_[a-z_]+)"/g),
    "attributes of the client's spans": matches(source, attributes)
  }
}

/** The text of a manual page without its markup. */
const plain = (page: string): string =>
  page
    .replaceAll("\\-", "-")
    .replaceAll(/\\f[BIR]/g, "")
    .replaceAll("\\(aq", "'")

/** The flags of each command of a manual page. */
const commandsOf = (page: string): ReadonlyArray<readonly [command: string, flags: ReadonlyArray<string>]> => {
  const [, synopsis = ""] = /\.SH "SYNOPSIS"\n([\s\S]*?)\.fi/.exec(page) ?? []
  const names = matches(synopsis, /^(mfg(?: [a-zA-Z]+)+)/gm)
  const sections = page.split(/^\.SH "(?=mfg )/m)
  return names.map((name) => {
    const section = sections.find((text) => text.startsWith(`${name}"`)) ?? (names.length === 1 ? page : "")
    return [name, matches(section, /^\(?(?:-\w, )?(--[a-z][a-z-]*)/gm)]
  })
}

const line = (command: string, flags: ReadonlyArray<string>) =>
  flags.length === 0 ? `\`${command}\`` : `\`${command}\`: ${flags.map((flag) => `\`${flag}\``).join(", ")}`

const sections = (help: string, title: string): string =>
  new RegExp(`^${title}\n([\\s\\S]*?)(?:\n\n|$(?![\\s\\S]))`, "m").exec(help)?.[1] ?? ""

export const cli: Effect.Effect<Promises, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Tree.make({})
  const cwd = join(Program.root, "apps/cli")
  yield* Program.node(["../../scripts/manual.mjs", folder], { cwd })
  const pages = readdirSync(folder)
    .map((name) => plain(readFileSync(join(folder, name), "utf8")))
    .flatMap(commandsOf)
  const rowCommand = new RegExp(`^mfg (?:${Catalogue.resources.map(({ resource }) => resource).join("|")}) `)
  // Every resource has these commands; the flags that only some have are its fields.
  const flags = new Map<string, ReadonlyArray<string>>()
  for (const [command, own] of pages) {
    const name = command.replace(rowCommand, "mfg <resource> ")
    flags.set(name, flags.get(name)?.filter((flag) => own.includes(flag)) ?? own)
  }
  const program = yield* Bin.bundle("cli")
  const help = (topic: string) => Effect.map(Program.node([program, "help", topic]), ({ stdout }) => stdout)
  const overview = Effect.map(Program.node([program, "--help"]), ({ stdout }) => stdout)
  return {
    "commands and flags of mfg": unique(Array.from(flags, ([command, own]) => line(command, own))),
    "flags of every command of mfg": matches(sections(yield* overview, "EVERYWHERE"), /^ {2}(--[a-z-]+)/gm),
    "exit codes of mfg": matches(yield* help("exit-codes"), /^ {2}(\d+) /gm).toSorted((a, b) => Number(a) - Number(b)),
    "variables of mfg": matches(yield* help("environment"), /^ {2}([A-Z_]+) /gm),
    "error tags of mfg": matches(
      readFileSync(join(Program.root, "docs/cli.md"), "utf8"),
      /^\| `([A-Z]\w+)` +\| (?:\d+|by status) +\|/gm
    )
  }
})

const adminKey = "mfg_acceptance_administrator"

export const mock: Effect.Effect<Promises, never, Scope.Scope> = Effect.gen(function* () {
  const program = yield* Bin.bundle("mock")
  const help = (...command: ReadonlyArray<string>) =>
    Effect.map(Program.node([program, ...command, "--help"]), ({ stdout }) => stdout)
  const names = (text: string) => matches(sections(text, "COMMANDS"), /^ {2}([a-z]+) /gm)
  const commands = yield* Effect.forEach(
    names(yield* help()),
    (command) =>
      Effect.gen(function* () {
        const text = yield* help(command)
        const groups = names(text)
        const leaves = yield* Effect.forEach(
          groups,
          (name) => Effect.map(help(command, name), (inner) => [`${command} ${name}`, inner] as const),
          { concurrency: 4 }
        )
        return groups.length === 0 ? [[command, text] as const] : leaves
      }),
    { concurrency: 2 }
  )
  const all = commands.flat()
  const source = sourceOf(join(Program.root, "apps/mock/src"))
  // Its tables are compared with a service and with the settings by tests of their own.
  const telemetry = readFileSync(join(Program.root, "docs/telemetry.md"), "utf8")
  const { origin } = yield* BuiltService.serve("sqlite::memory:", { adminKey })
  const description: { readonly paths: { readonly [path: string]: object } } = JSON.parse(
    yield* Effect.promise(async () => {
      const response = await fetch(`${origin}/_mock/openapi.json`, { headers: { authorization: `Bearer ${adminKey}` } })
      return response.text()
    })
  )
  return {
    "commands and flags of mfg-mock": unique(
      all.map(([command, text]) =>
        line(`mfg-mock ${command}`, matches(sections(text, "FLAGS"), /^ {2}(?:-\w, )?(--[a-z-]+)/gm))
      )
    ),
    "variables of mfg-mock": unique([
      ...matches(all.map(([, text]) => text.replaceAll(/\s+/g, " ")).join("\n"), /variable (MFG_[A-Z_]+)/g),
      ...matches(source, /"((?:MFG_MOCK|OTEL)_[A-Z_]*[A-Z])"/g),
      ...matches(telemetry, /^\| `(OTEL_[A-Z_]+)`/gm)
    ]),
    "metrics of mfg-mock": matches(telemetry, /^\| `((?:mfg_mock|nodejs|process)_[a-z0-9_]+)`/gm),
    "attributes of mfg-mock's spans": matches(source, attributes),
    "operations below `/_mock`": unique(
      Object.entries(description.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
      )
    )
  }
})

/** A command and its flags as one name each. */
const parts = (name: string): ReadonlyArray<string> => {
  const [command = "", flags = ""] = name.split(": ")
  return [command, ...flags.split(", ").flatMap((flag) => (flag === "" ? [] : [`${command} ${flag}`]))]
}

/** The names of a version that another one lacks, each with its list. */
export const missing = (before: Promises, now: Promises): ReadonlyArray<string> =>
  Object.entries(before).flatMap(([list, names]) => {
    const known = new Set((now[list] ?? []).flatMap(parts))
    return names.flatMap(parts).flatMap((part) => (known.has(part) ? [] : [`${list}: ${part}`]))
  })

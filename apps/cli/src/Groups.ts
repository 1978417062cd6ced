/**
 * The first words of a command line. What stands behind each is loaded when it is asked for, so that a command pays
 * for itself alone.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Program } from "./Program.ts"

export interface Group {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<Program>
}

const service: ReadonlyArray<Group> = [
  {
    name: "account",
    summary: "users, attributes and notification preferences: every operation of the account namespace",
    load: async () => (await import("./commands/Account.ts")).program
  },
  {
    name: "import",
    summary: "put rows of several resources in, with new ids and every reference among them rewritten",
    load: async () => (await import("./commands/ImportAll.ts")).program
  },
  {
    name: "export",
    summary: "write rows of several resources into a folder, with a manifest",
    load: async () => (await import("./commands/ExportAll.ts")).program
  },
  {
    name: "webhooks",
    summary: "receive events on this machine, look at deliveries, send them again, cause one",
    load: async () => (await import("./commands/Webhooks.ts")).program
  },
  {
    name: "keys",
    summary: "API keys: create, list, revoke, roll",
    load: async () => (await import("./commands/Keys.ts")).program
  },
  {
    name: "api",
    summary: "any call of either interface, as it is",
    load: async () => (await import("./commands/Api.ts")).program
  }
]

const setup: ReadonlyArray<Group> = [
  {
    name: "login",
    summary: "keep the address of a service and a key in a profile",
    load: async () => (await import("./commands/Login.ts")).program
  },
  {
    name: "whoami",
    summary: "whose key is used, and at which service",
    load: async () => (await import("./commands/Whoami.ts")).program
  },
  {
    name: "profile",
    summary: "the profiles that are kept: list, use, remove",
    load: async () => (await import("./commands/Profiles.ts")).program
  },
  {
    name: "doctor",
    summary: "check address, key, contract and clock, and say what to do",
    load: async () => (await import("./commands/Doctor.ts")).program
  },
  {
    name: "describe",
    summary: "the resources and their fields, without asking a service",
    load: async () => (await import("./commands/Describe.ts")).program
  },
  {
    name: "completions",
    summary: "completions for bash, zsh or fish",
    load: async () => (await import("./commands/Completions.ts")).program
  }
]

const rows: ReadonlyArray<Group> = Catalogue.resources.map((resource) => ({
  name: resource.resource,
  summary: `rows of ${resource.resource}`,
  load: async () => (await import("./commands/Rows.ts")).program(resource)
}))

/** Every group, in the order in which the help shows them. */
export const sections = [
  { title: "ROWS", groups: rows },
  { title: "SERVICE", groups: service },
  { title: "SET-UP", groups: setup }
] as const

const all: ReadonlyMap<string, Group> = new Map(
  sections.flatMap(({ groups }) => groups.map((group): [string, Group] => [group.name, group]))
)

/** Every first word. */
export const names: ReadonlyArray<string> = [...all.keys()]

/** The group of a word that may be none. */
export const find = (name: string): Group | undefined => all.get(name)

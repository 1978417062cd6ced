/**
 * The first words of a command line of `mfg`, with the modules that they load.
 */
import * as Catalogue from "@mfgdata/domain/Catalogue"
import type { Group, Section } from "@mfgdata/shell/Front"

const service: ReadonlyArray<Group> = [
  {
    name: "account",
    summary: "Users, attributes and notification preferences: the operations of the account namespace.",
    load: async () => (await import("./commands/Account.ts")).program
  },
  {
    name: "import",
    summary: "Import of several resources, with new ids and rewritten references among the rows.",
    load: async () => (await import("./commands/ImportAll.ts")).program
  },
  {
    name: "export",
    summary: "Export of several resources into a folder, with a manifest.",
    load: async () => (await import("./commands/ExportAll.ts")).program
  },
  {
    name: "pull",
    summary: "Rows into a folder, to change them without the service.",
    load: async () => (await import("./commands/Pull.ts")).program
  },
  {
    name: "diff",
    summary: "The changes of a pulled folder.",
    load: async () => (await import("./commands/Diff.ts")).program
  },
  {
    name: "push",
    summary: "The changes of a pulled folder to the service.",
    load: async () => (await import("./commands/Push.ts")).program
  },
  {
    name: "browse",
    summary: "Rows on the whole terminal, with the keyboard.",
    load: async () => (await import("./commands/Browse.ts")).program
  },
  {
    name: "watch",
    summary: "Rows as they change.",
    load: async () => (await import("./commands/Watch.ts")).program
  },
  {
    name: "history",
    summary: "Changes of rows, with the rows before and after.",
    load: async () => (await import("./commands/History.ts")).program
  },
  {
    name: "why",
    summary: "Everything that touched a row: requests, changes, deliveries.",
    load: async () => (await import("./commands/Why.ts")).program
  },
  {
    name: "webhooks",
    summary: "Events on this machine, deliveries and redeliveries, sample events, signing secrets.",
    load: async () => (await import("./commands/Webhooks.ts")).program
  },
  {
    name: "keys",
    summary: "API keys: create, list, revoke, roll.",
    load: async () => (await import("./commands/Keys.ts")).program
  },
  {
    name: "api",
    summary: "Any request to either interface.",
    load: async () => (await import("./commands/Api.ts")).program
  }
]

const setup: ReadonlyArray<Group> = [
  {
    name: "login",
    summary: "Save the address of a service and a key in a profile.",
    load: async () => (await import("./commands/Login.ts")).program
  },
  {
    name: "whoami",
    summary: "The user of the key, and the service.",
    load: async () => (await import("./commands/Whoami.ts")).program
  },
  {
    name: "profile",
    summary: "Saved profiles: list, use, remove.",
    load: async () => (await import("./commands/Profiles.ts")).program
  },
  {
    name: "doctor",
    summary: "Check of proxy, certificates, address, key, contract, clock and versions.",
    load: async () => (await import("./commands/Doctor.ts")).program
  },
  {
    name: "describe",
    summary: "Resources and their fields, without a request to a service.",
    load: async () => (await import("./commands/Describe.ts")).program
  },
  {
    name: "completions",
    summary: "Completions for bash, zsh or fish.",
    load: async () => (await import("./commands/Completions.ts")).program
  }
]

const rows: ReadonlyArray<Group> = Catalogue.resources.map((resource) => ({
  name: resource.resource,
  summary: `Rows of ${resource.resource}.`,
  load: async (word) => (await import("./commands/Rows.ts")).program(resource, word)
}))

/** The groups in the order of the help. */
export const sections: ReadonlyArray<Section> = [
  { title: "COMMANDS FOR ROWS", groups: rows, compact: true },
  { title: "COMMANDS FOR THE SERVICE", groups: service },
  { title: "COMMANDS FOR THE SET-UP", groups: setup }
]

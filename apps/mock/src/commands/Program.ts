/**
 * The front of `mfg-mock`: its commands, and the policy for failures.
 */
import * as ExitCode from "@mfgdata/shell/ExitCode"
import type { Front } from "@mfgdata/shell/Front"

/** The tags of errors of the command line itself; every other failure exits with 1. */
const usageErrors: ReadonlySet<string> = new Set(["UsageError", "SettingInvalid"])

/** The exit code of a check that has found damage. */
const damageFound = 3

export const front: Front = {
  name: "mfg-mock",
  summary: "the manufacturing data service itself",
  usages: ["mfg-mock serve", "mfg-mock <command> --help", "mfg-mock --version"],
  sections: [
    {
      title: "COMMANDS",
      groups: [
        {
          name: "serve",
          summary: "Serve the row interface, the operation interface and webhooks.",
          load: async () => (await import("./Serve.ts")).program
        },
        {
          name: "keys",
          summary: "API keys of a store: create, list, revoke, roll.",
          load: async () => (await import("./Keys.ts")).program
        },
        {
          name: "seed",
          summary: "Load the companies, users and rows of a file into a store.",
          load: async () => (await import("./Seed.ts")).program
        },
        {
          name: "mirror",
          summary: "Bring the rows of a live service into a store.",
          load: async () => (await import("./Mirror.ts")).program
        },
        {
          name: "migrate",
          summary: "Migrate a store to this version, and change its rules.",
          load: async () => (await import("./Migrate.ts")).program
        },
        {
          name: "grants",
          summary: "The SQL that grants a role what serving needs.",
          load: async () => (await import("./postgres/Grants.ts")).program
        },
        {
          name: "check",
          summary: "Find the damage of a store, and repair it.",
          load: async () => (await import("./Check.ts")).program
        },
        {
          name: "snapshot",
          summary: "Snapshots of a whole store: save, restore.",
          load: async () => (await import("./Snapshot.ts")).program
        },
        {
          name: "worlds",
          summary: "Isolated copies of a running service: create, list, reset, drop, diff, snapshot, restore.",
          load: async () => (await import("./Worlds.ts")).program
        },
        {
          name: "faults",
          summary: "Fault rules of a running service: set, list, clear.",
          load: async () => (await import("./traffic/Faults.ts")).program
        },
        {
          name: "tail",
          summary: "Show the requests of a running service as they happen.",
          load: async () => (await import("./traffic/Tail.ts")).program
        },
        {
          name: "replay",
          summary: "Send recorded requests to a running service again, and compare the responses.",
          load: async () => (await import("./traffic/Replay.ts")).program
        },
        {
          name: "compare",
          summary: "Find where a live service differs from this one.",
          load: async () => (await import("./Compare.ts")).program
        },
        {
          name: "webhooks",
          summary: "Signing secrets of webhooks: secret, roll.",
          load: async () => (await import("./Webhooks.ts")).program
        }
      ]
    }
  ],
  everywhere: [["--store <address>", "Store of the rows; its variable is MFG_MOCK_STORE, and every flag has one."]],
  commonFlags: [],
  exitCodeOf: (failure) =>
    "exitCode" in failure && typeof failure.exitCode === "number"
      ? failure.exitCode
      : usageErrors.has(failure._tag)
        ? ExitCode.misused
        : failure._tag === "StoreDamageFound"
          ? damageFound
          : ExitCode.failed,
  isRetryable: () => false,
  statusOf: () => undefined,
  remedyOf: () => undefined
}

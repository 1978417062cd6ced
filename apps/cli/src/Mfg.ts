/**
 * The front of `mfg`: its commands, its flags, and the policy for failures.
 */
import type { Front } from "@mfgdata/shell/Front"
import type { Failure } from "@mfgdata/shell/Program"
import * as Effect from "effect/Effect"
import * as CommandGroups from "./CommandGroups.ts"
import * as ExitCode from "./ExitCode.ts"

/** Advice that follows the message of some failures. */
const remedies: { readonly [tag: string]: string } = {
  Unauthorized: "mfg login saves another key; mfg whoami shows the one in use.",
  Unreachable: "Is the service running? mfg doctor checks the set-up.",
  ResponseMalformed: "mfg doctor checks the addresses.",
  PreconditionFailed: "Read the row again before you change it."
}

export const front: Front = {
  name: "mfg",
  summary: "the manufacturing data service from a shell",
  usages: ["mfg <resource> list|get|create|update|delete|export|import", "mfg <command> --help", "mfg --version"],
  sections: CommandGroups.sections,
  everywhere: [
    ["--output table|json|ndjson|csv", "Format of the output (default: table on a terminal, ndjson elsewhere)."],
    ["--profile <name>", "Profile of the service (default: the current one); mfg login creates profiles."]
  ],
  leadingFlags: new Set(["--profile", "--output", "-o"]),
  exitCodeOf: ExitCode.of,
  remedyOf: ({ _tag }: Failure) => remedies[_tag],
  complete: (typed) =>
    Effect.flatMap(
      Effect.promise(() => import("./Completion.ts")),
      ({ words }) => words(typed)
    )
}

/**
 * The front of `mfg`: its commands, its flags, and the policy for failures.
 */
import type { Front } from "@mfgdata/shell/Front"
import * as Format from "@mfgdata/shell/output/Format"
import type { Failure } from "@mfgdata/shell/Program"
import * as Effect from "effect/Effect"
import * as CommandGroups from "./CommandGroups.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Unreached from "./service/Unreached.ts"
import * as FailureFacts from "./FailureFacts.ts"
import { switches } from "./Switches.ts"
import { topics } from "./Topics.ts"

/** Advice that follows the message of some failures. */
const remedies: { readonly [tag: string]: string } = {
  Unauthorized: "mfg login saves another key; mfg whoami shows the one in use.",
  Unreachable: "Is the service running? mfg doctor checks the set-up.",
  ResponseMalformed: "mfg doctor checks the addresses.",
  PreconditionFailed: "Read the row again before you change it."
}

/** The code of a path that names no resource. */
const pathInvalid = "PGRST125"

const remedyOf = (
  failure: Failure & { readonly code?: unknown; readonly origin?: unknown; readonly cause?: unknown }
): string | undefined => {
  const { cause, origin } = failure
  const found =
    failure._tag === "Unreachable" && typeof origin === "string" ? Unreached.remedy({ cause, origin }) : undefined
  if (found !== undefined) return found
  return failure._tag === "QueryRejected" && failure.code === pathInvalid
    ? "Check the address of the row interface (MFG_REST_URL, or mfg login --rest-url): its path is /rest, unless a proxy changes it."
    : remedies[failure._tag]
}

export const front: Front = {
  name: "mfg",
  summary: "the manufacturing data service from a shell",
  usages: [
    "mfg <resource> list|get|open|create|update|edit|delete|export|import",
    "mfg <command> --help, or mfg help <command>",
    "mfg --version"
  ],
  sections: CommandGroups.sections,
  topics,
  everywhere: [
    [`--output ${Format.names.join("|")}`, "Format of the output (default: table on a terminal, ndjson elsewhere)."],
    ["--profile <name>", "Profile of the service (default: the current one); mfg login creates profiles."]
  ],
  switches,
  commonFlags: [
    { names: ["--profile"], takesValue: true, values: [] },
    { names: ["--output", "-o"], takesValue: true, values: Format.names }
  ],
  exitCodeOf: ExitCode.of,
  isRetryable: FailureFacts.isRetryable,
  statusOf: FailureFacts.statusOf,
  remedyOf,
  complete: (typed) =>
    Effect.flatMap(
      Effect.promise(() => import("./Completion.ts")),
      ({ words }) => words(typed)
    )
}

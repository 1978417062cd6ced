/**
 * Reads and writes the keychain of the operating system through its own program: `security` on macOS, and `secret-tool`
 * of libsecret on Linux. The text of a secret is never an argument, which other users could see.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"

/** A call of the program of a keychain that failed. */
export class KeychainUnusable extends Data.TaggedError("KeychainUnusable")<{
  readonly program: string
  readonly reason: string
}> {
  override get message(): string {
    return `The keychain of this machine cannot be used: ${this.program}: ${this.reason}.`
  }
}

export interface Keychain {
  readonly program: string
  readonly read: (id: string) => Effect.Effect<string, KeychainUnusable>
  /** Replaces the secret with an id. People see the label. */
  readonly write: (id: string, label: string, secret: string) => Effect.Effect<void, KeychainUnusable>
  readonly remove: (id: string) => Effect.Effect<void, KeychainUnusable>
}

/** A keychain that waits for a password has a dialog, which nobody may see. */
const timeout = 30_000

const run = (
  program: string,
  args: ReadonlyArray<string>,
  input: string = ""
): Effect.Effect<string, KeychainUnusable> =>
  Effect.async<string, KeychainUnusable>((resume, signal) => {
    const child = spawn(program, args, { timeout, signal, windowsHide: true })
    const said = { stdout: "", stderr: "" }
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.stderr += text))
    const fail = (reason: string) => resume(new KeychainUnusable({ program, reason: reason.replace(/\.$/, "") }))
    child.on("error", (error) => fail("code" in error && error.code === "ENOENT" ? "not installed" : error.message))
    child.on("close", (code, killed) => {
      if (code === 0) return resume(Effect.succeed(said.stdout.replace(/\n$/, "")))
      const [line = ""] = said.stderr.trim().split("\n")
      fail(killed === null ? line || `exit code ${code}` : `no answer in ${timeout / 1000} s`)
    })
    child.stdin.on("error", () => {})
    child.stdin.end(input)
  })

const service = "mfg"

const macos: Keychain = {
  program: "security",
  read: (id) => run("security", ["find-generic-password", "-s", service, "-a", id, "-w"]),
  write: (id, label, secret) => {
    const hex = Buffer.from(secret).toString("hex")
    // It reads commands from standard input, and ends with 0 after a failure; the new item shows the success.
    const command = `add-generic-password -U -s ${service} -a ${id} -l "${label.replaceAll(/[^\w. :/-]/g, "")}" -X ${hex}\n`
    return Effect.asVoid(
      Effect.filterOrFail(
        Effect.zipRight(run("security", ["-i"], command), macos.read(id)),
        (stored) => stored === secret,
        () => new KeychainUnusable({ program: "security", reason: "the keys were not stored" })
      )
    )
  },
  remove: (id) => Effect.asVoid(run("security", ["delete-generic-password", "-s", service, "-a", id]))
}

const linux: Keychain = {
  program: "secret-tool",
  read: (id) =>
    Effect.filterOrFail(
      run("secret-tool", ["lookup", "service", service, "account", id]),
      (secret) => secret !== "",
      () => new KeychainUnusable({ program: "secret-tool", reason: "the keys are gone" })
    ),
  write: (id, label, secret) =>
    Effect.asVoid(run("secret-tool", ["store", "--label", label, "service", service, "account", id], secret)),
  remove: (id) => Effect.asVoid(run("secret-tool", ["clear", "service", service, "account", id]))
}

/** The keychain of a platform; none where no program of the system reads it. */
export const of = (platform: NodeJS.Platform): Keychain | undefined =>
  platform === "darwin" ? macos : platform === "linux" ? linux : undefined

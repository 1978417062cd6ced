/**
 * Opens a text in the editor of the person at the terminal, and returns the saved text.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { FileFailed } from "../CliError.ts"
import * as Environment from "../Environment.ts"
import * as FileAccess from "../FileAccess.ts"

/** An editor that cannot be started, or reports a failure. */
export class EditorFailed extends Data.TaggedError("EditorFailed")<{
  readonly command: string
  readonly reason: string
}> {
  override get message(): string {
    return `The editor ${JSON.stringify(this.command)} failed: ${this.reason}. Nothing was changed. Set VISUAL or EDITOR to another editor.`
  }
}

/** A file that an editor changes. It is removed with the scope, unless its text has to be kept. */
export interface Draft {
  readonly path: string
  /** Writes a text, and returns the text that the editor saves. */
  readonly edit: (text: string) => Effect.Effect<string, EditorFailed | FileFailed>
  readonly keep: Effect.Effect<void>
}

const isWindows = process.platform === "win32"

const command = (): string => Environment.read("VISUAL") ?? Environment.read("EDITOR") ?? (isWindows ? "notepad" : "vi")

const open = (path: string): Effect.Effect<void, EditorFailed> =>
  Effect.async((resume) => {
    const name = command()
    const failed = (reason: string) => resume(Effect.fail(new EditorFailed({ command: name, reason })))
    // A variable may hold flags, such as `code --wait`, so a shell divides it into words.
    const child = isWindows
      ? spawn(`${name} "${path}"`, { stdio: "inherit", shell: true })
      : spawn("sh", ["-c", `${name} "$1"`, name, path], { stdio: "inherit" })
    child.on("error", ({ message }) => failed(message))
    child.on("exit", (code, signal) =>
      code === 0 ? resume(Effect.void) : failed(signal === null ? `exit code ${code}` : `signal ${signal}`)
    )
    return Effect.sync(() => void child.kill())
  })

/** Makes a file for a text, which nobody else can read. */
export const draft = (name: string): Effect.Effect<Draft, FileFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* FileAccess.writing(tmpdir(), () => mkdtempSync(join(tmpdir(), "mfg-")))
    let isKept = false
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (!isKept) rmSync(folder, { recursive: true, force: true })
      })
    )
    const path = join(folder, name)
    return {
      path,
      edit: (text) =>
        FileAccess.writing(path, () => writeFileSync(path, text, { mode: 0o600 })).pipe(
          Effect.zipRight(open(path)),
          Effect.zipRight(FileAccess.reading(path, () => readFileSync(path, "utf8")))
        ),
      keep: Effect.sync(() => void (isKept = true))
    }
  })

/**
 * Runs the Containerfile without a container engine: its build commands in a temporary folder, then its entry point and
 * its health check, as another user where this one may choose it.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import * as Ops from "../../src/Ops.ts"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

/** The instructions of the Containerfile, each on one line. */
const instructions = Ops.read("container/Containerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split("\n")

const argumentsOf = (name: string): ReadonlyArray<string> =>
  instructions.flatMap((line) => (line.trim().startsWith(`${name} `) ? [line.trim().slice(name.length + 1)] : []))

/** The form of a list, such as `["serve"]`. */
const listOf = (name: string): ReadonlyArray<string> => JSON.parse(argumentsOf(name).at(-1) ?? "[]")

const variables: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from(
    argumentsOf("ENV")
      .join(" ")
      .matchAll(/(\w+)=(\S+)/g),
    ([, name = "", value = ""]) => [name, value]
  )
)

const [user = 0, group = 0] = (argumentsOf("USER")[0] ?? "").split(":").map(Number)

/** The user of the image, where this process may become another one. */
const identity = process.getuid?.() === 0 ? { uid: user, gid: group } : {}

/** Runs a command as the user of the image, and returns its exit code. */
const run = (cwd: string, env: Readonly<Record<string, string>>, [file = "", ...args]: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<number | null>((resolve) =>
        spawn(file === "node" ? process.execPath : file, args, { cwd, env, ...identity, stdio: "ignore" }).on(
          "exit",
          resolve
        )
      )
  )

describe("the Containerfile", () => {
  it.scopedLive(
    `builds, serves and is healthy${"uid" in identity ? " as its user" : " (as this user, who is not root)"}, without writing besides /data`,
    () =>
      Effect.gen(function* () {
        const folder = yield* Tree.make({})
        chmodSync(folder, 0o755)
        const here = (text: string) =>
          text.replaceAll(/(?<![\w/.])\/(packed|app|data)\b/g, (_, name: string) => join(folder, name))
        const build = instructions.slice(
          0,
          instructions.findLastIndex((line) => line.startsWith("FROM "))
        )
        const commands = build.flatMap((line) => (line.startsWith("RUN ") ? [line.slice(4)] : []))
        assert.lengthOf(commands, 3)
        for (const command of commands) {
          const isBuilt = existsSync(join(Program.root, "apps/mock/dist/mfg-mock.js"))
          if (command === "npm run build" && isBuilt) continue
          // The variables of a package's test are not those of an image.
          const { code, stderr, stdout } = yield* Program.run("sh", ["-c", `umask 022; ${here(command)}`])
          assert.strictEqual(code, 0, `${command}: ${stdout}${stderr}`)
        }
        mkdirSync(join(folder, "data"), { mode: 0o700 })
        if ("uid" in identity) chownSync(join(folder, "data"), user, group)
        yield* Program.run("chmod", ["-R", "a-w", join(folder, "app")])
        yield* Effect.addFinalizer(() => Program.run("chmod", ["-R", "u+w", join(folder, "app")]))

        const env = {
          ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, here(value)])),
          PATH: process.env["PATH"] ?? "",
          HOME: "/nonexistent",
          MFG_MOCK_PORT: String(yield* LocalServer.freePort),
          MFG_MOCK_METRICS_PORT: String(yield* LocalServer.freePort),
          MFG_MOCK_DRAIN: "0s"
        }
        const cwd = join(folder, "data")
        const [, ...entryPoint] = listOf("ENTRYPOINT").map(here)
        let said = ""
        const child = yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(process.execPath, [...entryPoint, ...listOf("CMD")], { cwd, env, ...identity, stdio: "pipe" })
          ),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding("utf8").on("data", (text: string) => (said += text))
        const check: ReadonlyArray<string> = JSON.parse(
          /CMD (\[.*\])/.exec(argumentsOf("HEALTHCHECK")[0] ?? "")?.[1] ?? "[]"
        )
        let health = yield* run(cwd, env, check)
        for (const end = Date.now() + 60_000; health !== 0 && Date.now() < end;) health = yield* run(cwd, env, check)
        assert.strictEqual(health, 0, said)
        assert.isTrue(existsSync(join(folder, "data/mock.db")))
        if ("uid" in identity) {
          const write = `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "app/file"))}, "")`
          assert.notStrictEqual(yield* run(cwd, env, ["node", "-e", write]), 0)
        }
        const ended = yield* Effect.promise(() => {
          const end = new Promise<number | null>((resolve) => child.on("exit", resolve))
          child.kill("SIGTERM")
          return end
        })
        assert.strictEqual(ended, 0, said)
        assert.strictEqual(yield* run(cwd, env, check), 1)
      }),
    600_000
  )
})

/**
 * Runs the commands of docs/scale.md for one machine, on other ports. PostgreSQL refuses to run as the superuser, so its
 * programs run as nobody there.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Bin from "../src/Bin.ts"
import * as Ops from "../src/Ops.ts"
import * as Program from "../src/Program.ts"
import * as Tree from "../src/Tree.ts"

const section =
  /^## One machine$([\s\S]*?)^## /m.exec(readFileSync(join(Program.root, "docs/scale.md"), "utf8"))?.[1] ?? ""

const blocks = (language: string): ReadonlyArray<string> =>
  Array.from(section.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, text = ""]) => text)

/** Debian has the programs of a server next to the path. */
const debian = "/usr/lib/postgresql"
const folders = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [])
]
const postgres = ["initdb", "pg_ctl", "createdb", "pg_basebackup"].map((name) => ({
  name,
  file: folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
}))

const isRoot = process.getuid?.() === 0
const missing = [
  ...postgres.flatMap(({ file, name }) => (file === undefined ? [name] : [])),
  ...["haproxy", "curl"].filter((name) => !Ops.has(name, name === "haproxy" ? ["-v"] : ["--version"]).isPresent),
  ...(isRoot && !Ops.has("setpriv").isPresent ? ["setpriv"] : [])
]

const ports = ["5501", "5502", "4010", "4011", "4012"]

describe("docs/scale.md", () => {
  it.scopedLive.skipIf(missing.length > 0)(
    `runs on one machine as it says${missing.length === 0 ? "" : ` (there is no ${missing.join(", ")} here)`}`,
    () =>
      Effect.gen(function* () {
        const mock = yield* Bin.bundle("mock")
        const cwd = yield* Tree.make({})
        const bin = join(cwd, "bin")
        mkdirSync(bin)
        const command = (name: string, text: string) => {
          writeFileSync(join(bin, name), `#!/bin/sh\nexec ${text} "$@"\n`)
          chmodSync(join(bin, name), 0o755)
        }
        const user = isRoot ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        for (const { file, name } of postgres) command(name, `${user}${file}`)
        command("mfg-mock", `${process.execPath} ${mock}`)
        chmodSync(cwd, 0o755)
        if (isRoot) chownSync(cwd, 65_534, 65_534)
        const free = yield* Effect.all(ports.map(() => LocalServer.freePort))
        const moved = (text: string) =>
          ports.reduce((text, port, index) => text.replaceAll(port, String(free[index])), text)
        writeFileSync(join(cwd, "haproxy.cfg"), moved(blocks("haproxy").join("\n")))
        const script = [
          "set -e",
          "end() { set +e; kill $(jobs -p); for data in standby primary; do pg_ctl -D $data -m immediate stop; done; wait; }",
          "trap 'end > /dev/null 2>&1' EXIT",
          ...blocks("sh").filter((text) => !text.includes("npm run"))
        ].join("\n")
        const { code, stderr, stdout } = yield* Program.run("bash", ["-c", moved(script)], {
          cwd,
          env: { PATH: [bin, process.env["PATH"]].join(delimiter), MFG_MOCK_DRAIN: "0s" }
        })
        assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
        assert.include(stdout, "Founding day")
        assert.include(stdout, "Second day")
      }),
    600_000
  )
})

/** Uses the profiles and the pulled folders of each release with the built `mfg`. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"
import * as Bin from "../../src/Bin.ts"
import * as Program from "../../src/Program.ts"
import * as Release from "../../src/release/Release.ts"
import * as Tree from "../../src/Tree.ts"

/** The files of a folder by their paths in it. */
const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")])
  )

/** The files of a user: the profile of a service, and a folder of rows pulled from it. */
interface Files {
  readonly profiles: { readonly [path: string]: string }
  readonly pulled: { readonly [path: string]: string }
}

const make = Effect.scoped(
  Effect.gen(function* () {
    const { env, folder, mfg } = yield* Cli.make()
    const into = join(folder, "pulled")
    const { code, stderr } = yield* mfg(["pull", "holiday", "--into", into])
    assert.strictEqual(code, 0, stderr)
    const files: Files = { profiles: filesOf(join(String(env["XDG_CONFIG_HOME"]), "mfg")), pulled: filesOf(into) }
    return `${JSON.stringify(files, undefined, 2)}\n`
  })
)

const files = await Release.fixture("cli", "files.json", () => Effect.runPromise(make))

describe("the files of mfg's releases", () => {
  it.live.each(files.versions)(
    "are used: %s",
    (version) =>
      Effect.gen(function* () {
        const { profiles, pulled }: Files = JSON.parse(files.read(version).toString())
        const home = yield* Tree.make({})
        Tree.write(join(home, "mfg"), profiles)
        // mfg refuses profiles that others can read.
        for (const path of Object.keys(profiles)) chmodSync(join(home, "mfg", path), 0o600)
        const folder = yield* Tree.make(pulled)
        const program = yield* Bin.bundle("cli")
        const mfg = (...args: ReadonlyArray<string>) =>
          Program.node([program, ...args], { env: { XDG_CONFIG_HOME: home, HOME: home } })
        const listed = yield* mfg("profile", "list", "--output", "json")
        assert.strictEqual(listed.code, 0, listed.stderr)
        assert.include(listed.stdout, `"default"`)
        assert.deepStrictEqual(yield* mfg("diff", folder), { code: 0, stdout: "", stderr: "" })
        const [path = "", text = ""] = Object.entries(pulled).find(([path]) => path === "holiday.ndjson") ?? []
        const [first = ""] = text.split("\n")
        Tree.write(folder, { [path]: text.replace(first, first.replace(/"name":"/, `"name":"Changed `)) })
        const changed = yield* mfg("diff", folder, "--output", "json")
        assert.include(changed.stdout, "Changed ")
      }).pipe(Effect.scoped),
    300_000
  )
})

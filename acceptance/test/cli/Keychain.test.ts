/**
 * The keys of profiles in the keychain, whose program is a script on PATH.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Cli from "../../src/Cli.ts"
import * as Tree from "../../src/Tree.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

/** Keeps the items of a keychain in files next to it, and refuses while it is locked. Logs its arguments. */
const secretTool = `#!/bin/sh
items="$(dirname "$0")/items"
echo "$@" >> "$(dirname "$0")/calls"
if [ -e "$(dirname "$0")/locked" ]; then echo "secret-tool: Cannot use a locked collection" >&2; exit 1; fi
for id; do :; done
case "$1" in
  store) cat > "$items/$id" ;;
  lookup) cat "$items/$id" ;;
  clear) rm "$items/$id" ;;
esac
`

/** The program of macOS with the same items, as far as mfg uses it. */
const security = `#!/bin/sh
items="$(dirname "$0")/items"
if [ "$1" = -i ]; then
  read -r line
  id=$(echo "$line" | sed 's/.* -a \\([^ ]*\\) .*/\\1/')
  echo "$line" | sed 's/.* -X //' | xxd -r -p > "$items/$id"
  exit
fi
case "$1" in
  find-generic-password) cat "$items/$5" && echo ;;
  delete-generic-password) rm "$items/$5" ;;
esac
`

/** A machine with a keychain, and a folder of profiles of its own. */
const machine = Effect.gen(function* () {
  const { env, file, origin } = yield* Cli.Cli
  const bin = yield* Tree.make({ "secret-tool": secretTool, security })
  for (const name of ["secret-tool", "security"]) chmodSync(join(bin, name), 0o700)
  mkdirSync(join(bin, "items"))
  const home = yield* Tree.make({})
  const path = `${bin}:${process.env["PATH"]}`
  const keys = { MFG_API_KEY: Cli.keys.api, MFG_ADMIN_KEY: Cli.keys.admin }
  const run = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
    Cli.run(process.execPath, [file, ...args], {
      env: { ...env, XDG_CONFIG_HOME: home, PATH: path, MFG_KEY_STORE: "", ...more }
    })
  return {
    bin,
    run,
    login: (...flags: ReadonlyArray<string>) => run(["login", "--url", origin, ...flags], keys),
    items: () => readdirSync(join(bin, "items")).map((name) => readFileSync(join(bin, "items", name), "utf8")),
    profiles: () => readFileSync(join(home, "mfg/profiles.json"), "utf8"),
    lock: () => writeFileSync(join(bin, "locked"), ""),
    unlock: () => rmSync(join(bin, "locked"))
  }
})

describe.skipIf(process.platform === "win32")("the keys of a profile", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped(
      "are in the keychain where there is one, and never in a file or an argument",
      () =>
        Effect.gen(function* () {
          const { bin, items, login, profiles, run } = yield* machine
          const { code, stderr } = yield* login("--admin")
          assert.strictEqual(code, 0, stderr)
          assert.match(stderr, /its keys in the keychain \((?:secret-tool|security)\)\.\n$/)
          assert.deepStrictEqual(
            items().map((text) => JSON.parse(text)),
            [{ apiKey: Cli.keys.api, adminKey: Cli.keys.admin }]
          )
          assert.notInclude(profiles(), Cli.keys.api)
          assert.notInclude(profiles(), Cli.keys.admin)
          const calls = join(bin, "calls")
          assert.notInclude(existsSync(calls) ? readFileSync(calls, "utf8") : "", Cli.keys.api)
          assert.strictEqual((yield* run(["holiday", "list", "--limit", "1"])).code, 0)
          assert.strictEqual((yield* run(["keys", "list"])).code, 0, "the administrator's key is read too")
          const [listed] = Cli.rowsOf((yield* run(["profile", "list"])).stdout)
          assert.deepInclude(listed, { name: "default", admin: true, keys: "keychain" })
          yield* login()
          assert.lengthOf(items(), 1, "another login replaces the item")
          assert.include(items()[0], Cli.keys.admin)
          assert.strictEqual((yield* run(["profile", "remove", "default", "--yes"])).code, 0)
          assert.deepStrictEqual(items(), [])
        }),
      slow
    )

    it.scoped(
      "are in the file where the keychain cannot be used, and where the user chooses it",
      () =>
        Effect.gen(function* () {
          const { items, lock, login, profiles, run, unlock } = yield* machine
          lock()
          const fallen = yield* login()
          assert.strictEqual(fallen.code, 0, fallen.stderr)
          if (process.platform === "linux") {
            assert.include(fallen.stderr, "secret-tool: secret-tool: Cannot use a locked collection.")
            assert.include(profiles(), Cli.keys.api)
            const demanded = yield* login("--key-store", "keychain")
            assert.strictEqual(demanded.code, 2)
            assert.include(demanded.stderr, "Use --key-store file.")
          }
          unlock()
          yield* login()
          assert.lengthOf(items(), 1)
          assert.notInclude(profiles(), Cli.keys.api)
          const chosen = yield* login("--key-store", "file")
          assert.match(chosen.stderr, /its keys in .*profiles\.json\.\n$/)
          assert.include(profiles(), Cli.keys.api)
          assert.deepStrictEqual(items(), [])
          assert.strictEqual((yield* run(["whoami"])).code, 0)
          const [listed] = Cli.rowsOf((yield* run(["profile", "list"])).stdout)
          assert.deepInclude(listed, { keys: "file" })
          const wrong = yield* run(["login"], { MFG_KEY_STORE: "drawer" })
          assert.strictEqual(wrong.code, 2)
          assert.include(wrong.stderr, "expected one of auto, keychain, file")
        }),
      slow
    )

    it.scoped.skipIf(process.platform !== "linux")(
      "are missed by name when the keychain is locked, unless the environment has them",
      () =>
        Effect.gen(function* () {
          const { lock, login, run } = yield* machine
          yield* login("--admin")
          lock()
          const { code, stderr } = yield* run(["holiday", "list"])
          assert.strictEqual(code, 3)
          assert.include(
            stderr,
            "The keys of the profile default are in the keychain, which cannot be read: secret-tool: secret-tool: Cannot use a locked collection. Unlock it, set MFG_API_KEY, or run: mfg login --profile default --key-store file"
          )
          const own = yield* run(["holiday", "list", "--limit", "1"], { MFG_API_KEY: Cli.keys.api })
          assert.strictEqual(own.code, 0, own.stderr)
          assert.strictEqual((yield* login("--key-store", "file")).code, 0, "a new login repairs it")
        }),
      slow
    )
  })
})

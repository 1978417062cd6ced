import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import * as Keychain from "../src/profile/Keychain.ts"

const kept = process.env["PATH"]
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keychain-"))
  process.env["PATH"] = `${folder}:${kept}`
})
afterEach(() => {
  process.env["PATH"] = kept
  rmSync(folder, { recursive: true })
})

/** A program of the system, as a script that logs its arguments. */
const program = (name: string, script: string): void => {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\necho "$@" >> ${folder}/calls\n${script}\n`)
  chmodSync(path, 0o700)
}

const calls = (): string => readFileSync(join(folder, "calls"), "utf8")

const secret = JSON.stringify({ apiKey: 'a "key"' })

describe.skipIf(process.platform === "win32")("a keychain", () => {
  it.effect("is that of macOS there, which reads the secret from standard input", () =>
    Effect.gen(function* () {
      const keychain = Keychain.of("darwin")
      if (keychain === undefined) return assert.fail()
      program("security", `if [ "$1" = -i ]; then cat > ${folder}/input; else cat ${folder}/secret; echo; fi`)
      writeFileSync(join(folder, "secret"), secret)
      yield* keychain.write("id-1", 'mfg "x"; rm', secret)
      const hex = Buffer.from(secret).toString("hex")
      const command = `add-generic-password -U -s mfg -a id-1 -l "mfg x rm" -X ${hex}\n`
      assert.strictEqual(readFileSync(join(folder, "input"), "utf8"), command)
      assert.strictEqual(yield* keychain.read("id-1"), secret)
      yield* keychain.remove("id-1")
      assert.deepStrictEqual(calls().trim().split("\n"), [
        "-i",
        "find-generic-password -s mfg -a id-1 -w",
        "find-generic-password -s mfg -a id-1 -w",
        "delete-generic-password -s mfg -a id-1"
      ])
      writeFileSync(join(folder, "secret"), "other")
      const lost = yield* Effect.flip(keychain.write("id-1", "mfg", secret))
      assert.include(lost.message, "security: the keys were not stored.")
    })
  )

  it.effect("is that of libsecret on Linux", () =>
    Effect.gen(function* () {
      const keychain = Keychain.of("linux")
      if (keychain === undefined) return assert.fail()
      program("secret-tool", `case $1 in store) cat > ${folder}/secret;; lookup) cat ${folder}/secret;; esac`)
      yield* keychain.write("id-1", "mfg default", secret)
      assert.strictEqual(yield* keychain.read("id-1"), secret)
      yield* keychain.remove("id-1")
      assert.include(calls(), "store --label mfg default service mfg account id-1\n")
      assert.include(calls(), "clear service mfg account id-1\n")
    })
  )

  it.effect("names the reason of a failure", () =>
    Effect.gen(function* () {
      const keychain = Keychain.of("linux")
      if (keychain === undefined) return assert.fail()
      process.env["PATH"] = folder
      const missing = yield* Effect.flip(keychain.read("id-1"))
      assert.strictEqual(missing.message, "The keychain of this machine cannot be used: secret-tool: not installed.")
      process.env["PATH"] = `${folder}:${kept}`
      program("secret-tool", "echo locked >&2; exit 1")
      assert.strictEqual((yield* Effect.flip(keychain.read("id-1"))).reason, "locked")
      assert.isUndefined(Keychain.of("win32"))
    })
  )
})

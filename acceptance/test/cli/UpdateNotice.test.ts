/**
 * The notice of a newer version, at a registry on this machine.
 */
import { assert, describe, it } from "@effect/vitest"
import * as LocalServer from "@mfgdata/testing-server"
import * as Effect from "effect/Effect"
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Cli from "../../src/Cli.ts"
import * as Tree from "../../src/Tree.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const latest = "987.6.5"

/** A registry that knows the latest version; one without an answer keeps its callers waiting. */
const registry = (answers: boolean) =>
  LocalServer.start((_, response) => {
    if (!answers) return
    const versions = { [latest]: { name: "@mfgdata/cli", version: latest } }
    const body = { name: "@mfgdata/cli", "dist-tags": { latest }, versions }
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
  })

/** A cache of its own, and the environment of a person at a terminal. */
const person = (url: string) =>
  Effect.map(Tree.make({}), (cache) => {
    const home = { HOME: cache, XDG_CACHE_HOME: cache, npm_config_cache: join(cache, "npm"), npm_config_registry: url }
    return { answer: join(cache, "mfg/latest-version"), cache, env: { ...home, CI: "", NO_UPDATE_NOTIFIER: "" } }
  })

const version = (env: Readonly<Record<string, string>>) => Cli.onTerminal(["--version"], { env })

const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8").trim() : "")

/** Waits until npm has written its answer. */
const answered = async (path: string): Promise<void> => {
  while (read(path) === "") await setTimeout(100)
}

const yesterday = new Date(Date.now() - 90_000_000)

describe("the notice of a newer version", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped.skipIf(!Cli.hasTerminal)(
      "appears once a day, after npm has asked its registry in the background",
      () =>
        Effect.gen(function* () {
          const { requests, url } = yield* registry(true)
          const { answer, cache, env } = yield* person(url)
          const first = yield* version(env)
          assert.strictEqual(first.code, 0)
          assert.notInclude(first.screen, "is available")
          yield* Effect.promise(() => answered(answer))
          assert.deepStrictEqual(
            requests.map(({ path }) => path),
            ["/@mfgdata%2fcli"]
          )
          const second = yield* version(env)
          assert.include(second.screen, `mfg ${latest} is available, this is `)
          assert.include(second.screen, "npm install --global @mfgdata/cli@latest")
          assert.notInclude((yield* version(env)).screen, "is available")
          assert.lengthOf(requests, 1)
          utimesSync(join(cache, "mfg/update-notice"), yesterday, yesterday)
          assert.include((yield* version(env)).screen, "is available")
          writeFileSync(answer, "0.0.0\n")
          utimesSync(join(cache, "mfg/update-notice"), yesterday, yesterday)
          assert.notInclude((yield* version(env)).screen, "is available")
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      "neither appears nor asks where a variable turns it off, or in a pipe",
      () =>
        Effect.gen(function* () {
          const { requests, url } = yield* registry(true)
          const { answer, cache, env } = yield* person(url)
          for (const name of ["MFG_NO_UPDATE_NOTICE", "NO_UPDATE_NOTIFIER", "CI"]) {
            yield* version({ ...env, [name]: "1" })
          }
          yield* Cli.mfg(["--version"], { env })
          assert.isFalse(existsSync(join(cache, "mfg")))
          mkdirSync(join(cache, "mfg"))
          writeFileSync(answer, `${latest}\n`)
          for (const name of ["MFG_NO_UPDATE_NOTICE", "NO_UPDATE_NOTIFIER", "CI"]) {
            assert.notInclude((yield* version({ ...env, [name]: "1" })).screen, "is available")
          }
          assert.strictEqual((yield* Cli.mfg(["--version"], { env })).stderr, "")
          assert.lengthOf(requests, 0)
        }),
      slow
    )

    it.scoped.skipIf(!Cli.hasTerminal)(
      "delays and fails no command: at a silent registry, with a broken npm, and without a writable cache",
      () =>
        Effect.gen(function* () {
          const { url } = yield* registry(false)
          const { env } = yield* person(url)
          const started = Date.now()
          assert.strictEqual((yield* version(env)).code, 0)
          assert.isBelow(Date.now() - started, 20_000)
          const bin = yield* Tree.make({ npm: "#!/bin/sh\necho broken\nexit 1\n", file: "" })
          chmodSync(join(bin, "npm"), 0o700)
          const broken = yield* person(url)
          const failing = { ...broken.env, PATH: `${bin}:${process.env["PATH"]}` }
          yield* version(failing)
          yield* Effect.promise(() => answered(broken.answer))
          const { code, screen } = yield* version(failing)
          assert.deepStrictEqual({ code, screen: screen.split("\n").length }, { code: 0, screen: 2 })
          const blocked = yield* version({ ...env, XDG_CACHE_HOME: join(bin, "file") })
          assert.deepStrictEqual(
            { code: blocked.code, lines: blocked.screen.split("\n").length },
            { code: 0, lines: 2 }
          )
        }),
      slow
    )
  })
})

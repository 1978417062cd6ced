/**
 * `mfg` through a forward proxy, and at a service whose certificate is signed by an authority of its own.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "../../src/Bin.ts"
import * as Cli from "../../src/Cli.ts"
import * as ForwardProxy from "../../src/ForwardProxy.ts"

/** The timeout of tests that start many processes. */
const slow = 300_000

const at = (origin: string, env: Readonly<Record<string, string>> = {}) => ({
  env: {
    MFG_REST_URL: `${origin}/rest`,
    MFG_BASE_URL: `${origin}/api/v1`,
    MFG_API_KEY: Cli.keys.api,
    NODE_EXTRA_CA_CERTS: "",
    ...env
  }
})

const portOf = (origin: string) => Number(new URL(origin).port)

const found = (stdout: string, check: string) => Cli.rowsOf(stdout).find((finding) => finding["check"] === check)

const create = ["holiday", "create", "--name", "Proxied", "--date", "2033-01-01", "--company-id", "demo"]
const list = ["holiday", "list", "--limit", "1", "--jq", ".[].id"]

describe("mfg in a network with a proxy and an authority of its own", () => {
  it.layer(Cli.Cli.layer, { timeout: slow })((it) => {
    it.scoped(
      "sends requests through the proxy of the environment, unless NO_PROXY lists the host",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* Cli.Cli
          const proxy = yield* ForwardProxy.start({ "service.test": portOf(origin) })
          for (const variable of ["HTTP_PROXY", "http_proxy", "ALL_PROXY"]) {
            const { code, stderr, stdout } = yield* Cli.mfg(list, at("http://service.test", { [variable]: proxy.url }))
            assert.strictEqual(code, 0, stderr)
            assert.match(stdout, /^\S+\n$/)
          }
          assert.lengthOf(proxy.requests, 3)
          assert.match(proxy.requests[0] ?? "", /^GET http:\/\/service\.test\/rest\/holiday\?/)
          const written = yield* Cli.mfg(
            [...create, "--jq", ".name"],
            at("http://service.test", { HTTP_PROXY: proxy.url })
          )
          assert.strictEqual(written.stdout, "Proxied\n", written.stderr)
          const before = proxy.requests.length
          const excepted = { HTTP_PROXY: proxy.url, NO_PROXY: "other,.test" }
          assert.strictEqual((yield* Cli.mfg(list, at("http://service.test", excepted))).code, 11)
          const own = yield* Cli.mfg(list, at(origin, { HTTP_PROXY: proxy.url }))
          assert.strictEqual(own.code, 0, "addresses of this machine have no proxy")
          assert.lengthOf(proxy.requests, before)
          const doctor = yield* Cli.mfg(["doctor"], at("http://service.test", { HTTP_PROXY: proxy.url }))
          assert.strictEqual(doctor.code, 0, doctor.stderr)
          assert.match(String(found(doctor.stdout, "proxy")?.["found"]), /^http:\/\/127\.0\.0\.1:\d+ \(HTTP_PROXY\)$/)
          assert.notInclude(doctor.stdout, "secret")
          const wrong = at("http://service.test", { HTTP_PROXY: proxy.url.replace("secret", "other") })
          const refused = yield* Cli.mfg(["doctor"], wrong)
          assert.strictEqual(refused.code, 1)
        }),
      slow
    )

    it.scoped(
      "sends the requests of mfg-mock to another service through the proxy too",
      () =>
        Effect.gen(function* () {
          const { folder, origin } = yield* Cli.Cli
          const proxy = yield* ForwardProxy.start({ "service.test": portOf(origin) })
          const mock = yield* Bin.bundle("mock")
          const args = ["mirror", "--from", "environment", "--resource", "holiday", "--store", `sqlite:${folder}/m.db`]
          const { code, stderr } = yield* Cli.run(
            process.execPath,
            [mock, ...args],
            at("http://service.test", { HTTP_PROXY: proxy.url })
          )
          assert.strictEqual(code, 0, stderr)
          assert.isTrue(proxy.requests.some((request) => request.startsWith("GET http://service.test/rest/holiday")))
        }),
      slow
    )

    it.scoped(
      "trusts the authority of --ca and of NODE_EXTRA_CA_CERTS, also through a tunnel",
      () =>
        Effect.gen(function* () {
          const { folder, origin } = yield* Cli.Cli
          const { ca, port } = yield* ForwardProxy.startTls(portOf(origin), folder)
          const address = `https://localhost:${port}`
          const distrusted = yield* Cli.mfg(list, at(address))
          assert.strictEqual(distrusted.code, 11)
          assert.match(distrusted.stderr, /certificate.*name its file by --ca or NODE_EXTRA_CA_CERTS\.\n$/)
          const failing = yield* Cli.mfg(["doctor"], at(address))
          assert.match(String(found(failing.stdout, "address")?.["remedy"]), /--ca/)
          for (const [args, env] of [
            [["--ca", ca, ...list], {}],
            [[...list, `--ca=${ca}`], {}],
            [list, { NODE_EXTRA_CA_CERTS: ca }],
            [["--ca", join(folder, "server.pem"), ...list], { NODE_EXTRA_CA_CERTS: ca }]
          ] as const) {
            const { code, stderr, stdout } = yield* Cli.mfg(args, at(address, env))
            assert.strictEqual(code, 0, stderr)
            assert.match(stdout, /^\S+\n$/)
          }
          const doctor = yield* Cli.mfg(["doctor", "--ca", ca], at(address))
          assert.strictEqual(doctor.code, 0, doctor.stderr)
          assert.strictEqual(found(doctor.stdout, "certificates")?.["found"], `the authorities of Node, ${ca}`)
          assert.match(
            String(found(doctor.stdout, "versions")?.["found"]),
            /^mfg \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, interface 1\.0\.0 of the service$/
          )
          const proxy = yield* ForwardProxy.start({ "service.test": port })
          const through = { HTTPS_PROXY: proxy.url }
          const tunnelled = yield* Cli.mfg(["--ca", ca, ...list], at("https://service.test", through))
          assert.strictEqual(tunnelled.code, 0, tunnelled.stderr)
          assert.deepStrictEqual(proxy.requests, ["CONNECT service.test:443"])
          const strict = yield* Cli.mfg(list, at("https://service.test", through))
          assert.strictEqual(strict.code, 11)
          assert.match(strict.stderr, /--ca or NODE_EXTRA_CA_CERTS/)
        }),
      slow
    )

    it.scoped(
      "names a file of certificates that cannot be used",
      () =>
        Effect.gen(function* () {
          const { folder, origin } = yield* Cli.Cli
          const empty = join(folder, "empty.pem")
          writeFileSync(empty, "nothing")
          const broken = join(folder, "broken.pem")
          writeFileSync(broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")
          for (const file of [empty, broken, join(folder, "missing.pem")]) {
            const { code, stderr } = yield* Cli.mfg(["holiday", "list", "--ca", file])
            assert.strictEqual(code, 14)
            assert.include(stderr, `The certificates in ${file} cannot be used: `)
          }
          const missing = yield* Cli.mfg(["holiday", "list", "--ca"])
          assert.strictEqual(missing.code, 2)
          assert.include(missing.stderr, "Missing value of --ca.")
          const doctor = yield* Cli.mfg(["doctor"], at(origin, { NODE_EXTRA_CA_CERTS: empty }))
          assert.strictEqual(found(doctor.stdout, "certificates")?.["verdict"], "warning")
        }),
      slow
    )
  })
})

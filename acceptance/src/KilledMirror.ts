/**
 * Mirrors many rows of a service with `mfg-mock mirror`, kills it again and again, compares each row with its source, and
 * searches all files for what the scrub replaces.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { openSync, closeSync, readdirSync, readSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Bin from "./Bin.ts"
import * as Program from "./Program.ts"
import * as Tree from "./Tree.ts"

export interface Options {
  readonly rows: number
  readonly kills: number
  /** The store of the source (default: a file). */
  readonly source?: string
  /** The path of the source's row interface (default `/rest`). */
  readonly face?: string
}

export interface Outcome {
  readonly killed: number
  /** The ids that the mirror lacks, has besides, or has in another place. */
  readonly misplaced: number
  /** The rows whose columns differ, other than those that are replaced. */
  readonly different: number
  /** The files with a value that should have been replaced, after any of the runs. */
  readonly leaks: ReadonlyArray<string>
  /** The rows that a further run has brought. */
  readonly brought: number
  readonly seconds: number
  /** The largest memory of a run, in bytes. */
  readonly memory: number
}

const key = "mfg_killed_mirror_key"
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

/** Texts that are in every row of the source and must not be in any file of the mirror. */
const marks = ["@secret-people.example", "171 5550", "s3cret-of-client"]

type Row = Readonly<Record<string, unknown>>

/** A row of the kinds that the rows take turns at. */
const row = (index: number): readonly [resource: string, row: Row] => {
  const person = `person${index}@secret-people.example`
  const common = { companyId: "demo", customFields: { contact: { email: person }, number: index } }
  switch (index % 3) {
    case 0:
      return [
        "journalLine",
        {
          ...common,
          journalId: `j${index}`,
          amount: index,
          quantity: 1,
          journalLineReference: "r",
          accrual: false,
          description: `Ask ${person}`
        }
      ]
    case 1:
      return ["changeOrderRequiredAction", { ...common, name: `Action of ${person}`, active: true }]
    default:
      return ["holiday", { ...common, name: `Call +49 171 5550${index}`, date: "2026-05-01" }]
  }
}

const resources = ["changeOrderRequiredAction", "holiday", "journalLine", "oauthClient"]

/** The columns whose values are replaced. */
const replaced: ReadonlySet<string> = new Set(["customFields", "description", "name", "clientSecret"])

const partLength = 1000

const fill = async (origin: string, rows: number): Promise<void> => {
  const post = async (resource: string, body: unknown) => {
    const response = await fetch(`${origin}/rest/${resource}`, {
      method: "POST",
      headers: { ...headers, prefer: "return=minimal" },
      body: JSON.stringify(body)
    })
    if (!response.ok) throw new Error(`${resource}: ${response.status} ${await response.text()}`)
  }
  for (let start = 0; start < rows; start += 3 * partLength) {
    const parts = new Map<string, Array<Row>>()
    for (let index = start; index < Math.min(rows, start + 3 * partLength); index++) {
      const [resource, values] = row(index)
      parts.set(resource, [...(parts.get(resource) ?? []), values])
    }
    for (const [resource, values] of parts) await post(resource, values)
  }
  const client = { name: "Portal", clientId: "portal", redirectUris: [], grantTypes: [], responseTypes: [] }
  await post("oauthClient", { ...client, tokenEndpointAuthMethod: "none", clientSecret: marks[2], companyId: "demo" })
}

/** All rows of a resource, as they are listed. */
const list = async (origin: string, resource: string): Promise<ReadonlyArray<Row>> => {
  const all: Array<Row> = []
  for (;;) {
    const response = await fetch(`${origin}/rest/${resource}?limit=${partLength}&offset=${all.length}`, { headers })
    // The service under test answers rows.
    const rows = (await response.json()) as ReadonlyArray<Row>
    if (rows.length === 0) return all
    all.push(...rows)
  }
}

/** The files of a folder that contain one of the marks. */
const search = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => {
    const file = join(folder, name)
    if (!statSync(file).isFile()) return false
    const size = 16 * 1024 ** 2
    const overlap = 256
    const buffer = Buffer.alloc(size)
    const descriptor = openSync(file, "r")
    try {
      for (let at = 0; ; at += size - overlap) {
        const length = readSync(descriptor, buffer, 0, size, at)
        const part = buffer.subarray(0, length)
        if (marks.some((mark) => part.includes(mark))) return true
        if (length < size) return false
      }
    } finally {
      closeSync(descriptor)
    }
  })

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0
  )

/** The memory of a process in bytes; 0 where the system does not show it. */
const memoryOf = (pid: number): number => {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

interface Run {
  readonly isKilled: boolean
  readonly stdout: string
  readonly memory: number
}

/** Runs a mirror, and kills it some time after its first write. */
const mirror = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  folder: string,
  killAfterMillis: number | undefined
): Promise<Run> =>
  new Promise((resolve, reject) => {
    const before = sizeOf(folder)
    const child = spawn(process.execPath, args, { env: Program.environment(env), stdio: ["ignore", "pipe", "pipe"] })
    let [stdout, stderr] = ["", ""]
    let memory = 0
    let wroteAt: number | undefined
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
    const watch = setInterval(() => {
      memory = Math.max(memory, memoryOf(child.pid ?? 0))
      if (wroteAt === undefined && sizeOf(folder) > before + 100_000) wroteAt = performance.now()
      const isDue = wroteAt !== undefined && performance.now() - wroteAt >= (killAfterMillis ?? Infinity)
      if (isDue) child.kill("SIGKILL")
    }, 10)
    child.on("close", (code, signal) => {
      clearInterval(watch)
      if (signal === "SIGKILL") resolve({ isKilled: true, stdout, memory })
      else if (code === 0) resolve({ isKilled: false, stdout, memory })
      else reject(new Error(`mfg-mock mirror ended with ${code}: ${stderr}`))
    })
  })

/** The number in the last line of a report. */
const summary = (stdout: string): { readonly created: number; readonly changed: number } =>
  // The last line of a complete report is its summary.
  JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as { readonly created: number; readonly changed: number }

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Mirrors the rows of a new source by a command that is killed. */
export const run = ({ face = "/rest", kills, rows, source }: Options): Effect.Effect<Outcome, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bin = yield* Bin.bundle("mock")
    const [folder, into] = yield* Effect.all([Tree.make({}), Tree.make({})])
    const serve = (store: string) =>
      Program.start([bin, "serve", "--port", "0", "--seed", "empty", "--store", store], /Try:/, {
        env: { MFG_MOCK_API_KEY: key }
      }).pipe(
        Effect.map((running) => ({ ...running, origin: /http:\/\/127\.0\.0\.1:\d+/.exec(running.said)?.[0] ?? "" }))
      )
    const { origin } = yield* serve(source ?? `sqlite:${join(folder, "source.db")}`)
    yield* Effect.promise(() => fill(origin, rows))

    const target = `sqlite:${join(into, "target.db")}`
    const env = { MFG_REST_URL: `${origin}${face}`, MFG_BASE_URL: `${origin}/api/v1`, MFG_API_KEY: key }
    const args = [bin, "mirror", "--from", "environment", "--store", target]
    const leaks = new Set<string>()
    let [killed, memory] = [0, 0]
    const started = performance.now()
    yield* Effect.promise(async () => {
      for (;;) {
        const killAfter = killed < kills ? 20 + (rows / 250) * (killed / kills) : undefined
        const run = await mirror(args, env, into, killAfter)
        for (const file of search(into)) leaks.add(file)
        memory = Math.max(memory, run.memory)
        if (!run.isKilled) return
        killed += 1
      }
    })
    const seconds = (performance.now() - started) / 1000
    const again = yield* Effect.promise(() => mirror(args, env, into, undefined))
    for (const file of search(into)) leaks.add(file)
    const { changed, created } = summary(again.stdout)

    const mirrored = yield* serve(target)
    let [misplaced, different] = [0, 0]
    for (const resource of resources) {
      const [expected, actual] = yield* Effect.promise(() =>
        Promise.all([list(origin, resource), list(mirrored.origin, resource)])
      )
      misplaced += Math.abs(expected.length - actual.length)
      expected.forEach((row, index) => {
        const other = actual[index]
        if (other === undefined || other["id"] !== row["id"]) misplaced += 1
        else if (Object.keys(row).some((name) => !replaced.has(name) && !isEqual(row[name], other[name])))
          different += 1
      })
    }
    yield* mirrored.end("SIGTERM")
    for (const file of search(into)) leaks.add(file)
    return { killed, misplaced, different, leaks: [...leaks], brought: created + changed, seconds, memory }
  })

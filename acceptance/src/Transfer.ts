/**
 * Imports and exports many rows with `mfg`, kills both in the middle, and checks each row.
 */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Service } from "./Cli.ts"
import * as Program from "./Program.ts"

export interface Options {
  readonly rows: number
  readonly batch: number
  /** The progress, from 0 to 1, at which each transfer is killed. */
  readonly killedAt: ReadonlyArray<number>
}

export interface Outcome {
  readonly missing: number
  readonly doubled: number
  /** The number of times that each transfer was killed before its end. */
  readonly killed: { readonly import: number; readonly export: number }
  readonly seconds: { readonly import: number; readonly export: number }
  /** Reports whether the manifest's count and checksum match the file, and no other file is left. */
  readonly isWhole: boolean
}

const write = async (path: string, rows: number): Promise<void> => {
  const file = createWriteStream(path)
  for (let index = 0; index < rows; index++) {
    const row = {
      journalId: `journal ${index % 97}`,
      amount: index / 100,
      quantity: index,
      journalLineReference: `row ${index}`,
      description: 'Fastener, hexagonal, "zinc"; größer',
      accrual: index % 2 === 0
    }
    if (!file.write(`${JSON.stringify(row)}\n`)) await once(file, "drain")
  }
  file.end()
  await once(file, "finish")
}

/** The number of rows that a checkpoint, or the draft of an export, has recorded. */
const doneIn = (path: string): number => {
  if (!existsSync(path)) return 0
  const text = readFileSync(path, "utf8")
  const lines = text.trimEnd().split("\n")
  const found = /"(?:done|rows)":(\d+)/.exec(lines.at(-1) ?? "")
  return found === null ? 0 : Number(found[1])
}

/** Runs a command until it ends, or kills it once a file has enough rows; reports whether it was killed. */
const runUntil = (
  { env, file }: Service,
  args: ReadonlyArray<string>,
  counting: string,
  enough: number
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: Program.environment(env),
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
    const watch = setInterval(() => {
      if (doneIn(counting) >= enough) child.kill("SIGKILL")
    }, 5)
    child.on("exit", (code, signal) => {
      clearInterval(watch)
      if (signal === "SIGKILL") resolve(true)
      else if (code === 0) resolve(false)
      else reject(new Error(`mfg ${args.join(" ")} ended with ${code}: ${said}`))
    })
  })

const transfer = async (
  service: Service,
  args: ReadonlyArray<string>,
  counting: string,
  { killedAt, rows }: Options
): Promise<{ readonly killed: number; readonly seconds: number }> => {
  const started = performance.now()
  let killed = 0
  for (const part of [...killedAt, Infinity]) {
    const wasKilled = await runUntil(service, args, counting, part * rows)
    if (!wasKilled) break
    killed++
  }
  return { killed, seconds: (performance.now() - started) / 1000 }
}

const count = async (path: string): Promise<ReadonlyMap<string, number>> => {
  const seen = new Map<string, number>()
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { journalLineReference: name } = JSON.parse(line)
    if (String(name).startsWith("row ")) seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  return seen
}

/** Imports the rows and exports them again. */
export const run = (service: Service, options: Options): Effect.Effect<Outcome> =>
  Effect.promise(async () => {
    const { createHash } = await import("node:crypto")
    const from = join(service.folder, "from.ndjson")
    const to = join(service.folder, "to.ndjson")
    await write(from, options.rows)
    const importing = ["journalLine", "import", from, "--batch", String(options.batch)]
    const imported = await transfer(service, importing, `${from}.checkpoint`, options)
    const exporting = ["journalLine", "export", "--to", to, "--where", "journalLineReference=like.row*"]
    const exported = await transfer(service, exporting, `${to}.part.json`, options)
    const seen = await count(to)
    const manifest = JSON.parse(readFileSync(`${to}.manifest.json`, "utf8"))
    const sha256 = createHash("sha256").update(readFileSync(to)).digest("hex")
    const left = [`${from}.checkpoint`, `${to}.part`, `${to}.part.json`].filter((path) => existsSync(path))
    return {
      missing: options.rows - seen.size,
      doubled: Array.from(seen.values()).filter((times) => times > 1).length,
      killed: { import: imported.killed, export: exported.killed },
      seconds: { import: imported.seconds, export: exported.seconds },
      isWhole: manifest.sha256 === sha256 && manifest.rows === options.rows && left.length === 0
    }
  })

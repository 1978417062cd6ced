/**
 * Pushes many changes of a folder with `mfg`, kills it again and again, and checks each row.
 */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Service } from "./Cli.ts"
import * as Program from "./Program.ts"

export interface Options {
  /** The number of new rows; a third as many are changed, and as many are deleted. */
  readonly rows: number
  readonly kills: number
}

export interface Outcome {
  readonly killed: number
  readonly created: number
  readonly doubled: number
  readonly changed: number
  readonly left: number
  /** The output of `mfg diff` afterwards. */
  readonly diff: string
  readonly seconds: number
}

/** Runs a push; kills it once the journal has grown. Reports whether it was killed. */
const pushOnce = ({ env, file }: Service, folder: string, mayKill: boolean): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const journal = join(folder, ".mfg", "push.ndjson")
    const size = () => (existsSync(journal) ? readFileSync(journal).length : 0)
    const before = size()
    const child = spawn(process.execPath, [file, "push", folder, "--delete"], {
      env: Program.environment(env),
      stdio: ["ignore", "ignore", "pipe"]
    })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
    const watch = setInterval(() => {
      if (mayKill && size() > before) child.kill("SIGKILL")
    }, 2)
    child.on("exit", (code, signal) => {
      clearInterval(watch)
      if (signal === "SIGKILL") resolve(true)
      else if (code === 0) resolve(false)
      else reject(new Error(`mfg push ended with ${code}: ${said}`))
    })
  })

const line = (index: number, name: string): string =>
  `${JSON.stringify({ journalId: "push", amount: 1, quantity: index, journalLineReference: name, accrual: false })}\n`

/** Creates, changes and deletes rows by a push that is killed. */
export const run = (service: Service, { kills, rows }: Options): Effect.Effect<Outcome> =>
  Effect.promise(async () => {
    const folder = join(service.folder, "pulled")
    const path = join(folder, "journalLine.ndjson")
    const mfg = async (...args: ReadonlyArray<string>) => {
      const { code, stderr, stdout } = await Effect.runPromise(service.mfg(args))
      if (code !== 0) throw new Error(stderr)
      return stdout
    }
    const third = Math.floor(rows / 3)
    const texts = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => line(index, `${name} ${index}`))
    await mfg("pull", "journalLine", "--into", folder)
    writeFileSync(path, readFileSync(path, "utf8") + texts(third, "change").join("") + texts(third, "delete").join(""))
    await mfg("push", folder)
    const pulled = readFileSync(path, "utf8")
      .split("\n")
      .filter((text) => text !== "" && !text.includes('"delete '))
      .map((text) => `${text.replace('"change ', '"changed ')}\n`)
    writeFileSync(path, pulled.join("") + texts(rows, "create").join(""))
    const started = performance.now()
    let killed = 0
    while (await pushOnce(service, folder, killed < kills)) killed++
    const seconds = (performance.now() - started) / 1000
    const all = await mfg(
      "journalLine",
      "list",
      "--all",
      "--where",
      "journalId=push",
      "--jq",
      ".[].journalLineReference"
    )
    const names = all.trimEnd().split("\n")
    const beginning = (prefix: string) => names.filter((name) => name.startsWith(prefix))
    return {
      killed,
      created: new Set(beginning("create ")).size,
      doubled: names.length - new Set(names).size,
      changed: beginning("changed ").length,
      left: beginning("delete ").length + beginning("change ").length,
      diff: await mfg("diff", folder),
      seconds
    }
  })

import { assert, describe, it } from "vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const own = fileURLToPath(new URL("..", import.meta.url))

/** Copies the console into a tree of its own, because the other tests visit what the build of this one writes. */
const copyTo = (root: string): string => {
  const folder = join(root, "apps/console")
  mkdirSync(folder, { recursive: true })
  for (const name of ["src", "build.mjs", "package.json"])
    cpSync(join(own, name), join(folder, name), { recursive: true })
  symlinkSync(join(own, "node_modules"), join(folder, "node_modules"))
  return folder
}

describe("npm run dev", () => {
  it("builds the console for the service of the checkout, and again after a change", async () => {
    const root = mkdtempSync(join(tmpdir(), "console-dev-"))
    const cwd = copyTo(root)
    // npm starts the build in a process of its own: a group ends both.
    const npm = spawn("npm", ["run", "dev"], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    for (const stream of [npm.stdout, npm.stderr]) stream.on("data", (part: Buffer) => void (text += String(part)))
    const builds = async (count: number) => {
      while ((text.match(/^[^\n]* files, \d+ KB gzip$/gm) ?? []).length < count) {
        assert.isNull(npm.exitCode, text)
        await Promise.race([once(npm.stdout, "data"), once(npm, "close")])
      }
    }
    try {
      await builds(1)
      const output = join(root, "apps/mock/dist/console")
      const scripts = () =>
        readdirSync(join(output, "assets"))
          .filter((name) => name.endsWith(".js"))
          .map((name) => readFileSync(join(output, "assets", name), "utf8"))
      assert.include(readFileSync(join(output, "index.html"), "utf8"), '<div id="app">')
      const has = (title: string) => scripts().some((script) => script.includes(title))
      assert.isFalse(has("Another first view"))
      const view = join(cwd, "src/views/home/View.tsx")
      writeFileSync(view, readFileSync(view, "utf8").replace('title="Home"', 'title="Another first view"'))
      await builds(2)
      assert.isTrue(has("Another first view"))
    } finally {
      if (npm.exitCode === null && npm.pid !== undefined) {
        const ended = once(npm, "close")
        process.kill(-npm.pid)
        await ended
      }
      rmSync(root, { recursive: true })
    }
  })
})

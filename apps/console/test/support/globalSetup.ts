/**
 * Builds the console, and starts one browser for the run: that of the machine, or the one of the registry.
 */
import { existsSync } from "node:fs"
import { launch } from "puppeteer-core"
import type { TestProject } from "vitest/node"
import { buildConsole } from "../../build.mjs"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address by which test files connect to the browser. */
    browser: string
    /** The sizes of the built files. */
    files: ReadonlyArray<{ readonly name: string; readonly gzip: number; readonly isFirst: boolean }>
  }
}

const installed = [
  process.env["MFG_TEST_BROWSER"],
  "/usr/bin/google-chrome",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"
]

const executable = async (): Promise<{ readonly path: string; readonly args: ReadonlyArray<string> }> => {
  const path = installed.find((path) => path !== undefined && existsSync(path))
  if (path !== undefined) return { path, args: ["--no-sandbox"] }
  const { default: chromium } = await import("@sparticuz/chromium")
  return { path: await chromium.executablePath(), args: chromium.args }
}

/** Arguments that would switch off what the tests are about. */
const unwanted =
  /^--(single-process|no-zygote|disable-web-security|allow-running-insecure-content|headless|window-size)/

const setup = async (project: TestProject) => {
  const [{ files }, { args, path }] = await Promise.all([buildConsole(), executable()])
  const browser = await launch({
    executablePath: path,
    headless: "shell",
    args: [...args.filter((arg) => !unwanted.test(arg)), "--disable-dev-shm-usage"],
    protocolTimeout: 60_000
  })
  project.provide("browser", browser.wsEndpoint())
  project.provide("files", files)
  return () => browser.close()
}

export default setup

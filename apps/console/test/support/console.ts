/**
 * Gives a test file a service with the demo's rows and pages of the browser on it. A test fails for a report of the
 * Content-Security-Policy, an error in the browser's console, an exception, or a request to another origin.
 */
import * as Testing from "@mfgdata/mock/testing"
import * as Effect from "effect/Effect"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import {
  connect,
  type Browser,
  type BrowserContext,
  type ElementHandle,
  type KeyInput,
  type Page
} from "puppeteer-core"
import { afterAll, afterEach, assert, beforeAll, inject } from "vitest"

/** The time after which a condition that never comes fails the test. */
const patienceMillis = 20_000

/** A page of the browser with the session of one person. */
export interface Visit {
  readonly page: Page
  /** Shows a place below `/console`. */
  readonly open: (place: string) => Promise<void>
  /** The problems that the browser has reported so far. A test that expects one removes it. */
  readonly problems: Array<string>
  /** Waits until the page shows a text. */
  readonly sees: (text: string | RegExp) => Promise<void>
  /** Waits until the page no longer shows a text. */
  readonly seesNo: (text: string) => Promise<void>
  /** Clicks the element with a role and a name. */
  readonly click: (role: string, name: string) => Promise<void>
  /** Types into the field with a name, in place of its content. */
  readonly fill: (name: string, text: string) => Promise<void>
  /** Presses keys one after the other: `press("Tab", "Enter")`, `press("Control+k")`. */
  readonly press: (...keys: ReadonlyArray<string>) => Promise<void>
  /** The text of the element with the focus: its name, or its content. */
  readonly focused: () => Promise<string>
  /** Waits until a function of the page returns a truthy value. */
  readonly until: (condition: () => unknown) => Promise<void>
}

/** The service of a test file, and visits to its console. */
export interface Console {
  readonly origin: () => string
  readonly apiKey: () => string
  readonly adminKey: () => string
  readonly world: () => Testing.World["Type"]
  /** Sends a request to the service, with the API key, or with the administrator's key below `/_mock`. */
  readonly send: (target: string, init?: RequestInit) => Promise<Response>
  /** A new page without a session. */
  readonly visit: (options?: VisitOptions) => Promise<Visit>
  /** A new page that has signed in with both keys, at a place below `/console`. */
  readonly signedIn: (place?: string, options?: VisitOptions) => Promise<Visit>
  /** Stops listening; requests in the browser fail. */
  readonly goAway: () => Promise<void>
  /** Listens again at the same address. */
  readonly comeBack: () => Promise<void>
  /** The address that signs in once. */
  readonly oneTimeAddress: () => string
}

export interface VisitOptions {
  /** The origin of another service than that of the file. */
  readonly origin?: string
  /** Opens a tab of the same browser, in place of another browser. */
  readonly browserOf?: Visit
  readonly width?: number
  readonly height?: number
  readonly scheme?: "light" | "dark"
  /** The keys of a session (default: both). */
  readonly keys?: { readonly apiKey?: string; readonly adminKey?: string }
}

const escaped = (text: string): string => text.replaceAll(/["\\]/g, String.raw`\$&`)

const collect = (page: Page, origin: string, problems: Array<string>): void => {
  page.on("console", (message) => {
    if (message.type() === "error" || /Content.Security.Policy/i.test(message.text())) {
      // The browser reports every response with an error status; the page shows those that matter.
      if (!/Failed to load resource/.test(message.text())) problems.push(`console: ${message.text()}`)
    }
  })
  page.on("pageerror", (error) => problems.push(`exception: ${String(error)}`))
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:") && !url.startsWith("blob:")) {
      problems.push(`request to ${url}`)
    }
  })
}

const visitOf = (page: Page, origin: string, problems: Array<string>): Visit => {
  const until: Visit["until"] = async (condition) => {
    await page.waitForFunction(condition, { timeout: patienceMillis, polling: "mutation" })
  }
  const find = async (role: string, name: string) => {
    const selector = `::-p-aria([name="${escaped(name)}"][role="${role}"])`
    const element = await page.waitForSelector(selector, { visible: true, timeout: patienceMillis })
    return element ?? assert.fail(`There is no ${role} ${name}`)
  }
  /** The field with a name; a dialog or a group can have the same name. */
  const findField = async (name: string): Promise<ElementHandle> => {
    const selector = `::-p-aria([name="${escaped(name)}"])`
    const until = performance.now() + patienceMillis
    for (;;) {
      for (const element of await page.$$(selector)) {
        if (await element.evaluate((element) => element.matches("input, textarea, select"))) return element
      }
      if (performance.now() > until) assert.fail(`There is no field ${name}`)
      await page.waitForSelector("input, textarea, select", { timeout: patienceMillis })
    }
  }
  return {
    page,
    problems,
    until,
    open: async (place) => {
      await page.goto(`${origin}/console${place}`, { waitUntil: "load" })
    },
    sees: async (text) => {
      const [source, flags] = typeof text === "string" ? [text, undefined] : [text.source, text.flags]
      try {
        await page.waitForFunction(
          (source: string, flags: string | undefined) => {
            const shown = document.body.innerText
            return flags === undefined ? shown.includes(source) : new RegExp(source, flags).test(shown)
          },
          { timeout: patienceMillis, polling: 50 },
          source,
          flags
        )
      } catch {
        const shown = await page.evaluate(() => document.body.innerText)
        assert.fail(`The page does not show ${String(text)}, but:\n${shown.slice(0, 2000)}\n${problems.join("\n")}`)
      }
    },
    seesNo: async (text) => {
      await page.waitForFunction(
        (text: string) => !document.body.innerText.includes(text),
        { timeout: patienceMillis, polling: 50 },
        text
      )
    },
    click: async (role, name) => {
      await (await find(role, name)).click()
    },
    fill: async (name, text) => {
      const field = await findField(name)
      const isTyped = await field.evaluate((element, text) => {
        if (
          element instanceof HTMLTextAreaElement ||
          (element instanceof HTMLInputElement && !isPicked(element.type))
        ) {
          element.select()
          return true
        }
        // Keys fill the parts of a date in the order of the locale.
        Object.assign(element, { value: text })
        for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }))
        return false

        function isPicked(type: string): boolean {
          return /^(date|time|datetime-local|month|week|color|range)$/.test(type)
        }
      }, text)
      if (isTyped) await (text === "" ? field.press("Backspace") : field.type(text))
    },
    press: async (...keys) => {
      for (const combination of keys) {
        const parts = combination.split("+")
        // The names of keys are the browser's; a wrong one throws.
        const [key, ...held] = parts.toReversed() as Array<KeyInput>
        for (const each of held) await page.keyboard.down(each)
        await page.keyboard.press(key ?? "Escape")
        for (const each of held) await page.keyboard.up(each)
      }
    },
    focused: () =>
      page.evaluate(() => {
        const element = document.activeElement
        return element?.getAttribute("aria-label") ?? element?.textContent ?? ""
      })
  }
}

/** A service for the tests of a file. Call it at the top of the file. */
export const make = (options: Testing.Options = {}): Console => {
  let browser: Browser
  let scope: Scope.CloseableScope
  let listening: Scope.CloseableScope
  let world: Testing.World["Type"]
  let addresses: Testing.Listening
  const contexts: Array<{ readonly context: BrowserContext; readonly problems: Array<string> }> = []

  const listen = async (port: number) => {
    listening = await Effect.runPromise(Scope.make())
    addresses = await Effect.runPromise(Scope.extend(world.listen({ port }), listening))
  }

  beforeAll(async () => {
    browser = await connect({ browserWSEndpoint: inject("browser"), defaultViewport: null })
    scope = await Effect.runPromise(Scope.make())
    const context = await Effect.runPromise(Scope.extend(Layer.build(Testing.layer(options)), scope))
    world = Context.get(context, Testing.World)
    await listen(0)
  })

  afterEach(async () => {
    const closing = contexts.splice(0)
    await Promise.all(closing.map(({ context }) => context.close()))
    assert.deepEqual(
      closing.flatMap(({ problems }) => problems),
      []
    )
  })

  afterAll(async () => {
    await Effect.runPromise(Scope.close(listening, Exit.void))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await browser.disconnect()
  })

  const origin = () => addresses.origin
  const apiKey = () => Redacted.value(world.apiKey)
  const adminKey = () => Redacted.value(world.adminKey)

  const visit: Console["visit"] = async ({
    browserOf,
    height = 800,
    origin: visited = origin(),
    scheme = "light",
    width = 1280
  } = {}) => {
    const context = browserOf?.page.browserContext() ?? (await browser.createBrowserContext())
    const problems: Array<string> = []
    if (browserOf === undefined) contexts.push({ context, problems })
    const page = await context.newPage()
    await page.setViewport({ width, height })
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" }
    ])
    collect(page, visited, browserOf?.problems ?? problems)
    return visitOf(page, visited, problems)
  }

  return {
    origin,
    apiKey,
    adminKey,
    world: () => world,
    oneTimeAddress: () => addresses.console,
    send: (target, init = {}) =>
      fetch(origin() + target, {
        ...init,
        headers: {
          Authorization: `Bearer ${target.startsWith("/_mock") ? adminKey() : apiKey()}`,
          ...(init.body === undefined ? {} : { "Content-Type": "application/json" }),
          ...init.headers
        }
      }),
    visit,
    signedIn: async (place = "", options = {}) => {
      const visited = await visit(options)
      const { keys = { apiKey: apiKey(), adminKey: adminKey() } } = options
      await visited.page.evaluateOnNewDocument((keys: string) => {
        if (sessionStorage.getItem("mfgdata.test") !== null) return
        sessionStorage.setItem("mfgdata.test", "signed in once")
        sessionStorage.setItem("mfgdata.console.keys", keys)
      }, JSON.stringify(keys))
      await visited.open(place)
      return visited
    },
    goAway: () => Effect.runPromise(Scope.close(listening, Exit.void)),
    comeBack: () => listen(Number(new URL(origin()).port))
  }
}

/**
 * The script of the reference page: theme, search, copy buttons, the mark of the current section, and requests that are
 * tried with the API key of the console, which shares its session with pages of its origin.
 */
export const js = `
"use strict"
const root = document.documentElement
const storage = (() => { try { return localStorage } catch { return undefined } })()
const theme = storage?.getItem("theme")
if (theme) root.dataset.theme = theme
document.getElementById("theme").addEventListener("click", () => {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  root.dataset.theme = isDark ? "light" : "dark"
  storage?.setItem("theme", root.dataset.theme)
})

const search = document.getElementById("search")
const items = [...document.querySelectorAll("nav li")]
const sections = [...document.querySelectorAll("main section")]
const texts = new Map(sections.map((section) => [section, section.textContent.toLowerCase()]))
search.addEventListener("input", () => {
  const query = search.value.trim().toLowerCase()
  let found = 0
  for (const section of sections) {
    const articles = [...section.querySelectorAll("article")]
    const isWhole = section.dataset.name.toLowerCase().includes(query)
    const matching = articles.filter((article) => isWhole || article.id.toLowerCase().includes(query))
    const isFound = isWhole || matching.length > 0 || texts.get(section).includes(query)
    section.hidden = !isFound
    for (const article of articles) article.hidden = matching.length > 0 && !matching.includes(article)
    if (isFound) found += 1
  }
  for (const item of items) {
    const target = document.getElementById(item.dataset.name)
    item.hidden = target.hidden || target.closest("section").hidden
  }
  document.getElementById("nothing").hidden = found > 0
})
addEventListener("keydown", (event) => {
  if (event.key === "/" && !document.activeElement.matches("input, textarea")) { event.preventDefault(); search.focus() }
  if (event.key === "Escape" && document.activeElement === search) { search.value = ""; search.dispatchEvent(new Event("input")) }
})

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".copy")
  if (!button) return
  await navigator.clipboard?.writeText(button.closest("figure").querySelector("code").textContent)
  button.textContent = "Copied"
  setTimeout(() => { button.textContent = "Copy" }, 1500)
})

const links = new Map(items.map((item) => [item.dataset.name, item.querySelector("a")]))
const mark = (part) => {
  if (!part) return
  for (const link of links.values()) link.classList.remove("here")
  links.get(links.has(part.id) ? part.id : part.closest("section")?.id)?.classList.add("here")
}
const seen = new IntersectionObserver(
  (entries) => mark(entries.find(({ isIntersecting }) => isIntersecting)?.target),
  { rootMargin: "0px 0px -80% 0px" }
)
for (const part of document.querySelectorAll("main section, main article")) seen.observe(part)
mark(document.getElementById(location.hash.slice(1)))

const hasConsole = document.querySelector(".to-console") !== null
let apiKey
try { apiKey = JSON.parse(sessionStorage.getItem("mfgdata.console.keys"))?.apiKey } catch {}
const channel = new BroadcastChannel("mfgdata.console")
channel.addEventListener("message", ({ data }) => {
  if (data._tag === "Shared" && data.keys.apiKey) apiKey = data.keys.apiKey
  else if (data._tag === "SignedOut") apiKey = undefined
})
if (!apiKey) channel.postMessage({ _tag: "Asked" })

const mostCharacters = 100_000
const make = (name, properties, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}
const labelled = (text, field) => make("label", {}, text, field)

/** Reads the beginning of a body, which may be an endless stream of events. */
const readText = async (response, show) => {
  if (!response.body) return
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    if (text.length > mostCharacters) {
      show(text.slice(0, mostCharacters) + "\\n... (cut here)")
      return reader.cancel()
    }
    show(text)
  }
  try { show(JSON.stringify(JSON.parse(text), null, 2)) } catch {}
}

const trial = ({ body, method, target }) => {
  const address = make("input", { value: target, required: true, spellcheck: false })
  const content = body === undefined ? undefined : make("textarea", { value: body, rows: Math.min(14, body.split("\\n").length + 1), spellcheck: false })
  const key = make("input", { type: "password", required: true, autocomplete: "off" })
  const keyLabel = labelled("API key", key)
  const note = make("p", { className: "lead" })
  const send = make("button", { type: "submit", className: "send" }, "Send " + method)
  const status = make("p", { className: "lead" })
  status.setAttribute("role", "status")
  const output = make("pre", { hidden: true, tabIndex: 0 })
  output.setAttribute("role", "region")
  output.setAttribute("aria-label", "Body of the response")
  const form = make("form", { className: "trial" }, labelled("Path and query", address), ...(content ? [labelled("Body", content)] : []), keyLabel, note, send, status, output)
  const showKey = () => {
    keyLabel.hidden = key.disabled = apiKey !== undefined
    note.textContent = apiKey !== undefined ? "Sent with the API key of the console." : hasConsole ? "Sign in at the console, or enter a key." : "Enter a key."
  }
  showKey()
  channel.addEventListener("message", showKey)
  let running
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    running?.abort()
    const { signal } = (running = new AbortController())
    output.hidden = true
    const url = new URL(address.value, location.origin)
    if (url.origin !== location.origin) {
      status.textContent = "Expected a path of this service, such as /rest/holiday?limit=10."
      return
    }
    status.textContent = "Sending."
    const start = performance.now()
    try {
      const response = await fetch(url, {
        method,
        headers: { Authorization: "Bearer " + (apiKey ?? key.value), ...(content ? { "Content-Type": "application/json" } : {}) },
        body: content?.value,
        cache: "no-store",
        redirect: "error",
        signal
      })
      status.textContent = response.status + " in " + (performance.now() - start).toFixed(0) + " ms"
      await readText(response, (text) => {
        if (signal.aborted) return
        output.hidden = false
        output.textContent = text
      })
    } catch (error) {
      if (!signal.aborted) status.textContent = "No response: " + error.message
    }
  })
  return { form, close: () => { running?.abort(); channel.removeEventListener("message", showKey); form.remove() } }
}

const trials = new Map()
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".try")
  if (!button) return
  const open = trials.get(button)
  button.setAttribute("aria-expanded", String(!open))
  if (open) { open.close(); trials.delete(button); return }
  const made = trial(button.dataset)
  trials.set(button, made)
  button.closest("article").append(made.form)
  made.form.querySelector("input").focus()
})
`

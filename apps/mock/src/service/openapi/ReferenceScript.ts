/** The script of the reference page: theme, search, copy buttons, and the mark of the current section. */
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
  if (event.key === "/" && document.activeElement !== search) { event.preventDefault(); search.focus() }
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
`

// Checks the English of comments, documents, messages and test titles against prose-rules.mjs:
// `node scripts/check-prose.mjs [paths]`. A complaint names the file, the line, the words, and what to write instead.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, sep } from "node:path"
import { parseSync } from "oxc-parser"
import { allowed, avoided, openers, suspicious } from "./prose-rules.mjs"

const skipped = /^(?:node_modules|dist|CHANGELOG\.md|.*\.api\.md|\.(?!changeset$).*)$/
const paths = process.argv.slice(2)

const filesOf = (path) => {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path).flatMap((name) => (skipped.test(name) ? [] : filesOf(join(path, name))))
}

const isCode = (file) => /\.(?:ts|mjs)$/.test(file)
const isTest = (file) => /\.test\.ts$|(?:^|\/)test\//.test(file)

/** Text with its code made blank, so that every other character keeps its place. */
const withoutCode = (text) =>
  text.replaceAll(/^( *)(```|~~~)[\s\S]*?^\1\2|`[^`\n]*`|\]\([^)\s]*\)|https?:\/\/\S+/gm, (code) =>
    code.replaceAll(/[^\n]/g, "_")
  )

/** The comments of a file as `{ kind, start, text }`; line comments below each other are one. */
const commentsOf = (text, comments) =>
  comments
    .reduce((blocks, { end, start, type }) => {
      const last = blocks.at(-1)
      const joined = type === "Line" && last?.type === "Line" && /^\n[ \t]*$/.test(text.slice(last.end, start))
      if (joined) last.end = end
      else blocks.push({ type, start, end })
      return blocks
    }, [])
    .map(({ end, start }) => ({
      kind: /^(?:#!.*\n)?\s*$/.test(text.slice(0, start)) ? "header" : "comment",
      start,
      text: withoutCode(text.slice(start, end))
    }))

const callee = (node) => {
  switch (node.type) {
    case "Identifier":
      return node.name
    case "MemberExpression":
      return callee(node.object)
    case "CallExpression":
      return callee(node.callee)
    default:
      return undefined
  }
}

/** The nodes of a text: the text itself, or the pieces of a template. */
const piecesOf = (node) => {
  if (node?.type === "Literal" && typeof node.value === "string") return [node]
  return node?.type === "TemplateLiteral" ? node.quasis : []
}

/** The texts in a program as `{ kind, start, text }`: titles of tests, and in sources all that have a blank. */
const textsOf = (program, source, inTest) => {
  const texts = []
  const add = (kind, nodes) => {
    for (const [index, { end, start }] of nodes.entries()) {
      texts.push({ kind: index === 0 ? kind : "message", start, text: source.slice(start, end) })
    }
  }
  const walk = (node) => {
    if (Array.isArray(node)) return node.forEach(walk)
    if (node === null || typeof node !== "object") return undefined
    if (inTest && node.type === "CallExpression" && /^(?:it|test|describe)$/.test(callee(node.callee) ?? "")) {
      add("title", piecesOf(node.arguments[0]))
    }
    if (!inTest) {
      const pieces = piecesOf(node)
      if (pieces.some(({ end, start }) => source.slice(start, end).includes(" "))) add("message", pieces)
    }
    return Object.values(node).forEach(walk)
  }
  walk(program)
  return texts
}

/** The headings and the text of a document. */
const documentOf = (source) => {
  const text = withoutCode(source)
  const headings = Array.from(text.matchAll(/^#+ +(.+)$/gm), (match) => ({
    kind: "heading",
    start: match.index,
    text: match[0]
  }))
  return [{ kind: "document", start: 0, text }, ...headings.map((heading) => ({ ...heading, openerOnly: true }))]
}

const passagesOf = (file, source) => {
  if (!isCode(file)) return documentOf(source)
  // Most files have none of the words, and parsing takes time.
  if (!suspicious.test(source) && avoided.every(({ pattern }) => source.search(pattern) < 0)) return []
  const { comments, program } = parseSync(file, source)
  return [...commentsOf(source, comments), ...textsOf(program, source, isTest(file))]
}

/** The findings in a passage as `{ at, found, advice }`. */
const findingsOf = ({ kind, openerOnly = false, start, text }) => {
  const findings = openerOnly
    ? []
    : avoided.flatMap(({ advice, pattern }) =>
        Array.from(text.matchAll(pattern), (match) => ({ at: start + match.index, found: match[0], advice }))
      )
  const [marks] = /^[/*#"'`\s]*/.exec(text)
  const found = openers[kind]?.pattern.exec(text.slice(marks.length))?.[0]
  return found === undefined
    ? findings
    : [...findings, { at: start + marks.length, found, advice: openers[kind].advice }]
}

const complaintsOf = (file) => {
  const source = readFileSync(file, "utf8")
  const name = file.split(sep).join("/")
  return passagesOf(name, source)
    .flatMap(findingsOf)
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ advice, at, found }) => {
      const line = source.slice(0, at).split("\n").length
      const content = source.split("\n")[line - 1] ?? ""
      if (allowed.some((exception) => exception.file === name && content.includes(exception.text))) return []
      return [`${name}:${line}: "${found.replaceAll(/[\s*/]+/g, " ").trim()}": ${advice}`]
    })
}

const files = (paths.length === 0 ? ["."] : paths)
  .flatMap(filesOf)
  .filter((file) => isCode(file) || file.endsWith(".md"))
const complaints = files.flatMap(complaintsOf)
for (const complaint of complaints) console.error(complaint)
console.log(`${files.length} files, ${complaints.length} complaints`)
process.exitCode = complaints.length === 0 ? 0 : 1

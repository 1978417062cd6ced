/**
 * Compiles patterns that mean the same on both stores: the regular expressions that need no back references or
 * lookaround. They are parsed, limited in size, and printed again in a notation that SQLite's `regexp` and PostgreSQL's
 * `~` read alike. No store receives the expression of a request.
 */
import * as Either from "effect/Either"
import * as CharacterSet from "./CharacterSet.ts"
import * as RegularExpression from "./RegularExpression.ts"

type Node = RegularExpression.Node

/** Alternatives, each of which may match anywhere in a text unless it is anchored. */
export interface Pattern {
  readonly branches: ReadonlyArray<Branch>
}

interface Branch {
  readonly atStart: boolean
  readonly atEnd: boolean
  readonly nodes: ReadonlyArray<Node>
}

/**
 * The maximum number of characters and sets in a pattern with its repetitions written out. SQLite follows all of them in
 * parallel, and the cost of each character of the text grows with their square.
 */
export const maximumSize = 100

const sizeOf = (node: Node): number => {
  switch (node._tag) {
    case "Start":
    case "End":
      return 0
    case "Set":
      return 1
    case "Choice":
      return node.branches.reduce((sum, nodes) => sum + sizeOfAll(nodes), 0)
    case "Repeat":
      return sizeOf(node.node) * Math.max(node.most ?? node.least + 1, 1)
  }
}

const sizeOfAll = (nodes: ReadonlyArray<Node>): number => nodes.reduce((sum, node) => sum + sizeOf(node), 0)

const isAnchored = (node: Node): boolean => {
  switch (node._tag) {
    case "Start":
    case "End":
      return true
    case "Set":
      return false
    case "Choice":
      return node.branches.some((nodes) => nodes.some(isAnchored))
    case "Repeat":
      return isAnchored(node.node)
  }
}

/** Removes the anchors at the ends of a branch; `undefined` when the branch has an anchor anywhere else. */
const unanchor = (all: ReadonlyArray<Node>): ReadonlyArray<Branch> | undefined => {
  const first = all.findIndex(({ _tag }) => _tag !== "Start")
  const last = all.findLastIndex(({ _tag }) => _tag !== "End")
  const nodes = first < 0 ? [] : all.slice(first, last + 1)
  const atStart = first !== 0 && all.length > 0
  const atEnd = last < all.length - 1
  const [only] = nodes
  if (only?._tag === "Choice" && nodes.length === 1) {
    const branches = only.branches.map(unanchor)
    return branches.every((inner) => inner !== undefined)
      ? branches.flat().map((inner) => ({
          ...inner,
          atStart: inner.atStart || atStart,
          atEnd: inner.atEnd || atEnd
        }))
      : undefined
  }
  return nodes.some(isAnchored) ? undefined : [{ atStart, atEnd, nodes }]
}

/** Builds the pattern of a whole text, or returns the reason why it is not supported. */
export const ofWhole = (nodes: ReadonlyArray<Node>): Either.Either<Pattern, string> =>
  sizeOfAll(nodes) > maximumSize
    ? Either.left(`more than ${maximumSize} characters in a phrase are not supported`)
    : Either.right({ branches: [{ atStart: true, atEnd: true, nodes }] })

/** Parses a regular expression, or returns the reason why it is not supported. */
export const parse = (text: string): Either.Either<Pattern, string> =>
  Either.flatMap(RegularExpression.parse(text), (choices) => {
    if (choices.reduce((sum, nodes) => sum + sizeOfAll(nodes), 0) > maximumSize) {
      return Either.left(`more than ${maximumSize} characters when repetitions are written out`)
    }
    const branches = choices.map(unanchor)
    return branches.every((branch) => branch !== undefined)
      ? Either.right({ branches: branches.flat() })
      : Either.left("an anchor that is not at an end of the expression is not supported")
  })

const print = (nodes: ReadonlyArray<Node>, foldCase: boolean): string =>
  nodes.map((node) => printNode(node, foldCase)).join("")

const printNode = (node: Node, foldCase: boolean): string => {
  switch (node._tag) {
    case "Start":
    case "End":
      return ""
    case "Set":
      return CharacterSet.print(foldCase ? CharacterSet.lower(node.set) : node.set)
    case "Choice":
      return `(${node.branches.map((nodes) => print(nodes, foldCase)).join("|")})`
    case "Repeat": {
      const { least, most } = node
      if (most === 0) return ""
      const atom = printNode(node.node, foldCase)
      if (least === 0 && most === 1) return `${atom}?`
      if (most === undefined) return least === 0 ? `${atom}*` : least === 1 ? `${atom}+` : `${atom}{${least},}`
      return `${atom}{${least},${most}}`
    }
  }
}

/** Prints an expression that matches the whole text; with `foldCase` the text must have lower-case ASCII letters. */
export const toRegExp = ({ branches }: Pattern, foldCase: boolean): string =>
  `^(${branches
    .map(({ atEnd, atStart, nodes }) => `${atStart ? "" : ".*"}${print(nodes, foldCase)}${atEnd ? "" : ".*"}`)
    .join("|")})$`

/** The maximum length of a LIKE pattern in SQLite. */
const maximumLikeBytes = 50_000

/** Validates a pattern of `LIKE` with `%`, `_` and `\`, or returns the reason why it is not supported. */
export const like = (text: string): Either.Either<string, string> => {
  const backslashes = text.length - text.replace(/\\+$/, "").length
  if (backslashes % 2 === 1) return Either.left("LIKE pattern must not end with escape character")
  return new TextEncoder().encode(text).length > maximumLikeBytes
    ? Either.left(`a LIKE pattern of more than ${maximumLikeBytes} bytes is not supported`)
    : Either.right(text)
}

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
  /** The number of words of the phrase that the pattern was made from. */
  readonly words?: number
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
      return node.width ?? node.branches.reduce((sum, nodes) => sum + sizeOfAll(nodes), 0)
    case "Repeat":
      return sizeOf(node.node) * Math.max(node.most ?? node.least + 1, 1)
  }
}

const sizeOfAll = (nodes: ReadonlyArray<Node>): number => nodes.reduce((sum, node) => sum + sizeOf(node), 0)

/**
 * The maximum number of states that a pattern follows in parallel. The cost of each character of the text grows with its
 * square: a text of 2 MB takes about two seconds, in which nothing can interrupt the function.
 */
export const maximumWidth = 24

/** The sets of some nodes: those that a repetition or a choice may always reach, and those of a plain sequence. */
interface Sets {
  readonly free: number
  readonly plain: ReadonlyArray<CharacterSet.CharacterSet>
}

const setsOf = (nodes: ReadonlyArray<Node>): Sets => {
  const all = nodes.map((node): Sets => {
    switch (node._tag) {
      case "Start":
      case "End":
        return { free: 0, plain: [] }
      case "Set":
        return { free: 0, plain: [node.set] }
      case "Choice": {
        if (node.width !== undefined) return { free: node.width, plain: [] }
        const branches = node.branches.map(setsOf)
        return {
          free: branches.reduce((sum, { free }) => sum + free, 0) + 1,
          plain: branches.flatMap(({ plain }) => plain)
        }
      }
      case "Repeat": {
        const { least, most = least + 1 } = node
        const inner = setsOf([node.node])
        const free = inner.free * Math.max(most, 1) + inner.plain.length * (Math.max(most, 1) - least)
        return { free, plain: Array.from({ length: least }, () => inner.plain).flat() }
      }
    }
  })
  return { free: all.reduce((sum, { free }) => sum + free, 0), plain: all.flatMap(({ plain }) => plain) }
}

/** The number of sets that contain the most frequent character, which is the first one of a range or follows one. */
const overlapOf = (sets: ReadonlyArray<CharacterSet.CharacterSet>): number => {
  const codes = new Set(sets.flatMap(({ ranges }) => ranges.flatMap(({ first, last }) => [first, last + 1])))
  const counts = [...codes, 1].map((code) => sets.filter((set) => CharacterSet.contains(set, code)).length)
  return Math.max(...counts)
}

const widthOfBranch = ({ nodes }: Branch): number => {
  const { free, plain } = setsOf(nodes)
  return free + Math.max(overlapOf(plain), overlapOf(plain.map(CharacterSet.lower)))
}

/** Estimates the number of states that a pattern follows in parallel. */
export const widthOf = ({ branches }: Pattern): number =>
  branches.reduce((sum, branch) => sum + widthOfBranch(branch), branches.length)

const narrow = (pattern: Pattern): Either.Either<Pattern, string> =>
  widthOf(pattern) > maximumWidth
    ? Either.left(
        `it matches a text in more than ${maximumWidth} ways at the same time: use fewer or shorter repetitions and alternatives`
      )
    : Either.right(pattern)

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
export const ofWhole = (nodes: ReadonlyArray<Node>, words: number): Either.Either<Pattern, string> =>
  sizeOfAll(nodes) > maximumSize
    ? Either.left(`more than ${maximumSize} characters in a phrase are not supported`)
    : narrow({ branches: [{ atStart: true, atEnd: true, nodes }], words })

/** Parses a regular expression, or returns the reason why it is not supported. */
export const parse = (text: string): Either.Either<Pattern, string> =>
  Either.flatMap(RegularExpression.parse(text), (choices) => {
    if (choices.reduce((sum, nodes) => sum + sizeOfAll(nodes), 0) > maximumSize) {
      return Either.left(`more than ${maximumSize} characters when repetitions are written out`)
    }
    const branches = choices.map(unanchor)
    return branches.every((branch) => branch !== undefined)
      ? narrow({ branches: branches.flat() })
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

/** The maximum length of a text between two `%`, which is compared at every place of a text. */
export const maximumRun = 1000

/** The length of the longest text of a LIKE pattern that is looked for at every place. */
export const runOf = (pattern: string): number => {
  const [, ...runs] = pattern.split("%")
  return Math.max(1, ...runs.map(({ length }) => length))
}

/** Validates a pattern of `LIKE` with `%`, `_` and `\`, or returns the reason why it is not supported. */
export const like = (text: string): Either.Either<string, string> => {
  const backslashes = text.length - text.replace(/\\+$/, "").length
  if (backslashes % 2 === 1) return Either.left("LIKE pattern must not end with escape character")
  if (runOf(text) > maximumRun) {
    return Either.left(`a LIKE pattern with more than ${maximumRun} characters after a % is not supported`)
  }
  return new TextEncoder().encode(text).length > maximumLikeBytes
    ? Either.left(`a LIKE pattern of more than ${maximumLikeBytes} bytes is not supported`)
    : Either.right(text)
}

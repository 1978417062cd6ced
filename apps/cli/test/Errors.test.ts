/**
 * The errors of `mfg --output json`: each tag is provoked by a command, at a service with scripted responses where it
 * needs one. The table of docs/cli.md lists the same tags, codes and fields.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import * as ExitCode from "../src/ExitCode.ts"
import { mfg } from "./Cli.ts"
import { ok, type Reply, serving } from "./ScriptedService.ts"

const kept = { ...process.env }
let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "errors-"))
  const unused = { MFG_PROFILE: "", MFG_ADMIN_KEY: "", VISUAL: "" }
  Object.assign(process.env, unused, {
    XDG_CONFIG_HOME: folder,
    MFG_REST_URL: "http://127.0.0.1:1/rest",
    MFG_BASE_URL: "http://127.0.0.1:1/api/v1",
    MFG_API_KEY: "key"
  })
})
afterEach(() => {
  process.env = { ...kept }
  rmSync(folder, { recursive: true })
})

const row = {
  id: "hol_1",
  name: "One",
  date: "2027-01-01",
  year: 2027,
  companyId: "co",
  createdBy: "u",
  createdAt: "2026-01-01T00:00:00+00:00",
  updatedBy: null,
  updatedAt: null,
  customFields: null,
  tags: null
}

const refused = (status: number, code: string, message: string, details: string | null = null): Reply => ({
  status,
  body: { code, message, details, hint: null }
})

const get = ["holiday", "get", "hol_1"]
const create = ["holiday", "create", "--name", "x", "--date", "2027-01-01", "--company-id", "co"]
const update = ["holiday", "update", "hol_1", "--name", "x"]
const remove = ["holiday", "delete", "hol_1", "--yes"]

/** A file of the test's folder. */
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** A folder that was pulled, and in which the name of a row is changed. */
const pulled = (): string => {
  const path = join(folder, "pulled")
  mkdirSync(join(path, ".mfg", "base"), { recursive: true })
  const source = process.env["MFG_REST_URL"]
  writeFileSync(
    join(path, ".mfg", "pull.json"),
    JSON.stringify({ version: 1, source, pulledAt: "2027-01-01T00:00:00Z", resources: ["holiday"] })
  )
  writeFileSync(join(path, ".mfg", "base", "holiday.ndjson"), `${JSON.stringify(row)}\n`)
  writeFileSync(join(path, "holiday.ndjson"), `${JSON.stringify({ ...row, name: "Mine" })}\n`)
  return path
}

const editing = (command: string): void => void (process.env["EDITOR"] = command)

interface Case {
  readonly tag: string
  readonly args: () => ReadonlyArray<string>
  readonly replies?: ReadonlyArray<Reply>
  /** Shared facts that differ from their defaults. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const cases: ReadonlyArray<Case> = [
  { tag: "FileFailed", args: () => ["holiday", "import", join(folder, "absent.csv")] },
  {
    tag: "EditorFailed",
    args: () => (editing("false"), ["holiday", "edit", "hol_1"]),
    replies: [ok([row], { etag: '"1"' })]
  },
  { tag: "ChecksFailed", args: () => ["doctor"] },
  { tag: "UsageError", args: () => ["holiday", "lst"] },
  { tag: "Unconfirmed", args: () => ["holiday", "delete", "hol_1"] },
  { tag: "ProfileMissing", args: () => [...get, "--profile", "absent"] },
  {
    tag: "ProfileUnusable",
    args: () => {
      mkdirSync(join(folder, "mfg"))
      chmodSync(file("mfg/profiles.json", "{}"), 0o644)
      return [...get, "--profile", "any"]
    }
  },
  {
    tag: "KeysUnreadable",
    args: () => {
      const keychain = { id: "no-such-item", hasAdminKey: false }
      const locked = { restUrl: "http://127.0.0.1:1/rest", baseUrl: "http://127.0.0.1:1/api/v1", keychain }
      mkdirSync(join(folder, "mfg"))
      chmodSync(file("mfg/profiles.json", JSON.stringify({ current: "locked", profiles: { locked } })), 0o600)
      return [...get, "--profile", "locked"]
    }
  },
  { tag: "AdminKeyMissing", args: () => ["keys", "list"] },
  {
    tag: "AdminInterfaceMissing",
    args: () => ((process.env["MFG_ADMIN_KEY"] = "admin"), ["keys", "list"]),
    replies: [{ status: 404, body: "nothing" }]
  },
  {
    tag: "Unauthorized",
    args: () => get,
    replies: [refused(401, "PGRST301", "unknown key")],
    facts: { code: "PGRST301", status: 401, requestId: "req-7" }
  },
  {
    tag: "KeyNotSent",
    args: () => {
      const profile = { restUrl: "https://a.example/rest", baseUrl: "https://a.example/api/v1", apiKey: "k" }
      mkdirSync(join(folder, "mfg"))
      const profiles = { current: "default", profiles: { default: profile } }
      chmodSync(file("mfg/profiles.json", JSON.stringify(profiles)), 0o600)
      process.env["MFG_API_KEY"] = ""
      return get
    }
  },
  {
    tag: "Forbidden",
    args: () => get,
    replies: [refused(403, "42501", "no scope")],
    facts: { code: "42501", status: 403, requestId: "req-7" }
  },
  { tag: "PageMissing", args: () => ["holiday", "open", "hol_1"], replies: [ok([{ id: "hol_1" }]), ok("<html>")] },
  { tag: "RowNotFound", args: () => get, replies: [ok([])], facts: { requestId: "req-7" } },
  {
    tag: "QueryRejected",
    args: () => get,
    replies: [refused(400, "42703", "no such column")],
    facts: { code: "42703", status: 400, requestId: "req-7" }
  },
  {
    tag: "RowRejected",
    args: () => create,
    replies: [refused(400, "23502", `null value in column "name" of relation "holiday"`)],
    facts: { code: "23502", status: 400, fields: ["name"], requestId: "req-7" }
  },
  { tag: "DryRunUnsupported", args: () => [...create, "--dry-run"], replies: [ok({}, { "preference-applied": "" })] },
  {
    tag: "OperationRefused",
    args: () => ["account", "getAccount", "--id", "x"],
    replies: [
      {
        status: 400,
        body: {
          defined: false,
          code: "BAD_REQUEST",
          status: 400,
          message: "Invalid input",
          data: { issues: [{ path: ["id"], message: "expected text" }] }
        }
      }
    ],
    facts: { code: "BAD_REQUEST", status: 400, fields: ["id"], requestId: "req-7" }
  },
  {
    tag: "CallRefused",
    args: () => ["api", "GET", "/nothing"],
    replies: [refused(503, "P0503", "busy")],
    facts: { status: 503, requestId: "req-7", retryable: true }
  },
  {
    tag: "Conflict",
    args: () => create,
    replies: [refused(409, "23505", "duplicate", "Key (name)=(x) already exists.")],
    facts: { code: "23505", status: 409, fields: ["name"], requestId: "req-7" }
  },
  {
    tag: "ReferenceMissing",
    args: () => create,
    replies: [refused(409, "23503", "missing", 'Key (companyId)=(x) is not present in table "company".')],
    facts: { code: "23503", status: 409, fields: ["companyId"], requestId: "req-7" }
  },
  {
    tag: "StillReferenced",
    args: () => remove,
    replies: [refused(409, "23503", "referenced", 'Key (id)=(x) is still referenced from table "kanban".')],
    facts: { code: "23503", status: 409, requestId: "req-7" }
  },
  {
    tag: "PreconditionFailed",
    args: () => [...update, "--if-match", '"1"'],
    replies: [refused(412, "PGRST000", "changed")],
    facts: { status: 412, requestId: "req-7" }
  },
  {
    tag: "EditConflict",
    args: () => (editing("sed -i.bak s/One/Mine/"), ["holiday", "edit", "hol_1"]),
    replies: [
      ok([row], { etag: '"1"' }),
      refused(412, "PGRST000", "changed"),
      ok([{ ...row, name: "Theirs" }], { etag: '"2"' })
    ],
    facts: { fields: ["name"] }
  },
  { tag: "FolderConflict", args: () => ["push", pulled()], replies: [ok([{ ...row, name: "Theirs" }])] },
  {
    tag: "RateLimited",
    args: () => get,
    replies: [{ ...refused(429, "P0429", "slow"), headers: { "retry-after": "0" } }],
    facts: { status: 429, requestId: "req-7", retryable: true }
  },
  {
    tag: "ServiceUnavailable",
    args: () => get,
    replies: [{ ...refused(503, "P0503", "busy"), headers: { "retry-after": "0" } }],
    facts: { code: "P0503", status: 503, requestId: "req-7", retryable: true }
  },
  { tag: "Unreachable", args: () => get, facts: { retryable: true } },
  {
    tag: "ResponseMalformed",
    args: () => get,
    replies: [ok("<html>")],
    facts: { status: 200, requestId: "req-7" }
  },
  {
    tag: "RowsRefused",
    args: () => ["holiday", "import", file("refused.ndjson", '{"name":"x","date":"tomorrow"}\n')],
    replies: [ok([])]
  },
  {
    tag: "InputMalformed",
    args: () => (editing("sed -i.bak 's/One/[/'"), ["holiday", "edit", "hol_1"]),
    replies: [ok([row], { etag: '"1"' })]
  },
  { tag: "FolderUnusable", args: () => ["diff", folder] },
  { tag: "CertificatesUnusable", args: () => [...get, "--ca", file("empty.pem", "")] },
  {
    tag: "QueryTooCostly",
    args: () => get,
    replies: [refused(504, "57014", "time", "The query took longer than 5 s (--statement-timeout).")],
    facts: { code: "57014", status: 504, requestId: "req-7" }
  }
]

/** The facts that every error has, and the advice that some have. */
const shared = ["_tag", "message", "code", "status", "fields", "requestId", "retryable", "remedy"]

const document = readFileSync(new URL("../../../docs/cli.md", import.meta.url), "utf8")

/** The table of the document, by tag. */
const documented = new Map(
  Array.from(
    document.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\| [^|]+ \| ([^|]*?) *\|$/gm),
    ([, tag = "", code = "", facts = ""]) => [tag, { code, facts: facts.match(/\w+\??/g) ?? [] }] as const
  )
)

/** The tags whose exit code is that of their status. */
const byStatus = ["CallRefused", "OperationRefused"]

describe("an error with --output json", () => {
  for (const { args, facts = {}, replies = [], tag } of cases) {
    it.scopedLive(`${tag} has its tag, its code and the documented fields`, () =>
      Effect.gen(function* () {
        if (replies.length > 0) yield* serving(replies)
        const { code, stderr } = yield* mfg(...args(), "--output", "json")
        const [line = "", ...others] = stderr.trimEnd().split("\n").toReversed()
        assert.isTrue(
          others.every((line) => !line.startsWith("{")),
          stderr
        )
        const { error, exitCode } = JSON.parse(line)
        assert.strictEqual(error._tag, tag, stderr)
        assert.strictEqual(exitCode, code)
        assert.strictEqual(code, ExitCode.of(error))
        const entry = documented.get(tag)
        assert.strictEqual(entry?.code, byStatus.includes(tag) ? "by status" : String(code))
        const defaults = { code: null, status: null, fields: [], requestId: null, retryable: false }
        assert.deepInclude(error, { ...defaults, ...facts })
        assert.isString(error.message)
        const further = Object.keys(error).filter((name) => !shared.includes(name))
        // A field with a question mark may be absent.
        const possible = (entry?.facts ?? []).filter(
          (name) => !name.endsWith("?") || further.includes(name.slice(0, -1))
        )
        assert.sameMembers(
          further,
          possible.map((name) => name.replace("?", ""))
        )
      })
    )
  }

  it("is tested and documented for each tag", () => {
    const tags = [...ExitCode.codes.flatMap(({ tags }): ReadonlyArray<string> => tags), ...byStatus]
    assert.sameMembers(
      cases.map(({ tag }) => tag),
      tags
    )
    assert.sameMembers([...documented.keys()], tags)
  })
})

/**
 * The topics of `mfg help`: what concerns more than one command.
 */
import type { Passage, Topic } from "@mfgdata/shell/help/Topic"

const text = (text: string): Passage => ({ _tag: "Text", text })

const example = (...lines: ReadonlyArray<string>): Passage => ({ _tag: "Example", lines })

const filters = async (): Promise<ReadonlyArray<Passage>> => {
  const { signs } = await import("./RowQuery.ts")
  return [
    text(
      "A condition is a field, a sign and a value. Several conditions select the rows that meet all of them. The value null is an empty field."
    ),
    example(
      "mfg warehouseTransfer list --where status=Draft --where 'transferDate>=2027-01-01'",
      "mfg kanban list --where 'quantity>100' --where locationId!=null"
    ),
    {
      _tag: "Terms",
      title: "SIGNS",
      terms: signs.toReversed().map(([sign, operator, meaning]) => [sign, `${meaning} (${operator})`])
    },
    text("The service's own form is accepted too: a list of values, alternatives, a field inside JSON, or full text."),
    example(
      "mfg warehouseTransfer list --where 'status=in.(Draft,Completed)'",
      "mfg warehouseTransfer list --where 'or=(status.eq.Draft,transferDate.lt.2027-01-01)'",
      "mfg paymentTerm list --where 'customFields->>shift=early'",
      "mfg journalLine list --where 'description=wfts.water'"
    )
  ]
}

const output = async (): Promise<ReadonlyArray<Passage>> => {
  const { formats } = await import("@mfgdata/shell/output/Format")
  return [
    text("Rows are written to standard output, messages to standard error."),
    { _tag: "Terms", title: "FORMATS OF --output", terms: formats },
    text("--fields chooses the fields and their order, in every format; a path leads into objects and lists."),
    example("mfg holiday list --fields date,name", "mfg paymentTerm list --fields name,customFields.shift -o yaml"),
    text("--template writes a line for each row. A field is in double braces."),
    example("mfg holiday list --template '{{date}}\\t{{name}}'"),
    text(
      "--jq runs an expression of jq 1.8 over the JSON of the output: the array of a list, or one object. Texts are written without quotes."
    ),
    example("mfg holiday list --jq '.[].id'", "mfg account getCurrentUser --jq .email")
  ]
}

const exitCodes = async (): Promise<ReadonlyArray<Passage>> => {
  const { codes } = await import("./ExitCode.ts")
  return [{ _tag: "Terms", title: "CODES", terms: codes.map(({ code, meaning }) => [String(code), meaning] as const) }]
}

const environment = async (): Promise<ReadonlyArray<Passage>> => {
  const { variables } = await import("./Environment.ts")
  return [
    text("An empty variable counts as not set. Keys are never flags, because other users can see those."),
    { _tag: "Terms", title: "VARIABLES", terms: Object.entries(variables) },
    text(
      "The keys of a profile are sent to the addresses of the profile alone: with another MFG_REST_URL or MFG_BASE_URL, set MFG_API_KEY too."
    )
  ]
}

const scripting = async (): Promise<ReadonlyArray<Passage>> => [
  text(
    "In a pipe the output is NDJSON, and nothing is asked: commands that ask on a terminal need --yes. mfg help exit-codes lists the codes."
  ),
  example(
    "mfg warehouseTransfer list --all --where status=Draft --jq '.[].id' > drafts.txt",
    "mfg holiday get nothing || test $? = 6"
  ),
  text(
    "With --output json or ndjson, which every command accepts, an error is a JSON object on standard error: error._tag names its kind, error.retryable is true where the same command may succeed later, and exitCode is the exit code. docs/cli.md lists the tags."
  ),
  text("With an idempotency key, a script that runs again within a day gets the row of its first run:"),
  example("mfg holiday create --idempotency-key founding-day-2027 --name 'Founding day' --date 2027-05-01")
]

export const topics: ReadonlyArray<Topic> = [
  { name: "filters", summary: "Conditions of --where: signs, lists, alternatives, JSON, full text.", load: filters },
  { name: "output", summary: "Formats, fields, templates and jq expressions.", load: output },
  { name: "exit-codes", summary: "Exit codes of mfg, which never change.", load: exitCodes },
  { name: "environment", summary: "Variables of the environment.", load: environment },
  { name: "scripting", summary: "mfg in scripts: pipes, confirmation, errors as JSON.", load: scripting }
]

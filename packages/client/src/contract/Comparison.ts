/**
 * Compares the observations of two services. Aspects that are noise on one side, or whose situations differ, are not
 * compared.
 */
import * as Column from "@mfgdata/domain/Column"
import type * as Resource from "@mfgdata/domain/Resource"
import { type Aspects, isSameSituation, isSuccess } from "./Aspects.ts"
import * as ColumnEvidence from "./ColumnEvidence.ts"
import type { BodyForm, ColumnForm, Finding, JsonType } from "./Difference.ts"
import type { Observation, Survey } from "./Observation.ts"
import type { Probe } from "./Probe.ts"

/** A finding with the probe that found it, and the responses of both sides. */
export interface Found {
  readonly probe: Probe
  readonly finding: Finding
  readonly ours: Observation | undefined
  readonly theirs: Observation | undefined
}

/** The form and the words that our side declares for a column. */
export interface Declared {
  readonly form: (resource: Resource.Any, column: string) => ColumnForm | undefined
  readonly words: (resource: Resource.Any, column: string) => ReadonlyArray<string>
}

/** The columns as the contract declares them. */
export const contract: Declared = {
  form: (resource, name) => {
    const column = Column.byName(resource).get(name)
    return column === undefined
      ? undefined
      : { types: [ColumnEvidence.declaredType(column)], nullable: column.nullable }
  },
  words: (resource, name) => Column.byName(resource).get(name)?.vocabulary?.known ?? []
}

type Aspect = Aspects[string]

const texts = (aspect: Aspect | undefined): ReadonlyArray<string> =>
  aspect === undefined ? [] : typeof aspect === "object" ? aspect : [String(aspect)]

const text = (aspect: Aspect | undefined): string | null => (aspect === undefined ? null : texts(aspect).join(", "))

/** The fields of an error by name; null for a body without fields. */
export const fieldsOf = (aspect: Aspect | undefined) =>
  aspect === undefined
    ? null
    : Object.fromEntries(
        texts(aspect).map((field): [string, JsonType] => {
          const [name = "", type = "null"] = field.split(/:(?=[a-z]+$)/)
          // Aspects writes the name of a JSON type after the last colon.
          return [name, type as JsonType]
        })
      )

/** The difference between two bodies, which aspects name by their form. */
export const ofBody = (ours: string, theirs: string): Finding => ({
  _tag: "BodyDiffers",
  ours: ours as BodyForm,
  theirs: theirs as BodyForm
})

const ofAspect = (
  name: string,
  probe: Probe,
  one: Aspect | undefined,
  other: Aspect | undefined
): Finding | undefined => {
  const [kind = "", detail = ""] = name.split(/:(.*)/s)
  switch (kind) {
    case "status":
      return { _tag: "StatusDiffers", ours: Number(one), theirs: Number(other) }
    case "body":
      return ofBody(String(one), String(other))
    case "header":
      return { _tag: "HeaderDiffers", header: detail, ours: text(one), theirs: text(other) }
    case "code":
      return { _tag: "CodeDiffers", ours: text(one), theirs: text(other) }
    case "fields":
      return { _tag: "ErrorFieldsDiffer", ours: fieldsOf(one), theirs: fieldsOf(other) }
    case "text":
      return { _tag: "ErrorTextDiffers", field: detail, ours: text(one), theirs: text(other) }
    case "order":
    case "nulls":
      return !isDisjoint(texts(one), texts(other))
        ? undefined
        : {
            _tag: "OrderDiffers",
            column: probe.order?.column ?? "",
            ours: texts(one).join(" or "),
            theirs: texts(other).join(" or ")
          }
    case "written":
      return one === undefined || other === undefined
        ? undefined
        : { _tag: "FormDiffers", column: probe.written?.column ?? "", ours: texts(one), theirs: texts(other) }
    case "rows":
    case "selected":
      return one === undefined || other === undefined
        ? undefined
        : { _tag: "ResultDiffers", aspect: kind, ours: texts(one).join(), theirs: texts(other).join() }
    default:
      return undefined
  }
}

const isSame = (one: Aspect | undefined, other: Aspect | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const statusOf = ({ aspects }: Observation): number => Number(aspects["status"])

/** The names of the aspects to compare: after another outcome the rest of the response differs of itself. */
const comparable = (ours: Observation, theirs: Observation): ReadonlyArray<string> => {
  if (ours.noise.includes("status") || theirs.noise.includes("status")) return []
  const hasSameOutcome = isSuccess(statusOf(ours)) === isSuccess(statusOf(theirs))
  if (!hasSameOutcome) return ["status"]
  if (!isSameSituation(ours.situation, theirs.situation)) return ["rows"]
  const names = [...new Set([...Object.keys(ours.aspects), ...Object.keys(theirs.aspects)])]
  const hasFields = isSame(ours.aspects["fields"], theirs.aspects["fields"])
  const hasBody = isSame(ours.aspects["body"], theirs.aspects["body"])
  return names.filter((name) => {
    if (ours.noise.includes(name) || theirs.noise.includes(name)) return false
    // A field that one side lacks is a difference of fields alone, and fields without an object one of bodies.
    if (name.startsWith("text:")) {
      return hasFields || (ours.aspects[name] !== undefined && theirs.aspects[name] !== undefined)
    }
    return hasBody || (name !== "code" && name !== "fields")
  })
}

const isRefused = (observation: Observation): boolean => !isSuccess(statusOf(observation))

/** The columns that a refusal names, in PostgreSQL's words. */
const named = ({ exchange }: Observation): ReadonlyArray<string> =>
  (/Key \(([^)]+)\)/.exec(exchange.response.body)?.[1] ?? "").split(", ").map((name) => name.replaceAll(/[\\"]/g, ""))

/** The findings of one probe. */
export const ofProbe = (ours: Observation, theirs: Observation): ReadonlyArray<Finding> => {
  const { constraint } = theirs.probe
  const names = comparable(ours, theirs)
  // A rule that one side enforces is that one difference: the rest of the response follows from it.
  if (constraint !== undefined && names.includes("status") && isRefused(ours) !== isRefused(theirs)) {
    const columns = constraint.columns.length > 0 ? constraint.columns : named(isRefused(ours) ? ours : theirs)
    const sides = { ours: isRefused(ours), theirs: isRefused(theirs) }
    return [{ _tag: "ConstraintDiffers", constraint: constraint.kind, columns, ...sides }]
  }
  return names.flatMap((name) => {
    const [one, other] = [ours.aspects[name], theirs.aspects[name]]
    if (isSame(one, other)) return []
    const finding = ofAspect(name, theirs.probe, one, other)
    return finding === undefined ? [] : [finding]
  })
}

/** Reports whether two lists, neither of them empty, have no element in common. */
const isDisjoint = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length > 0 && other.length > 0 && !one.some((element) => other.includes(element))

const toForm = ({ elements, hasNull, types }: ColumnEvidence.Evidence): ColumnForm => ({
  types,
  ...(elements.length === 0 ? {} : { elements }),
  nullable: hasNull
})

const ofColumn = (
  resource: Resource.Any,
  name: string,
  ours: Survey,
  theirs: Survey,
  declared: Declared
): ReadonlyArray<Finding> => {
  const [one, other] = [ours.columns[name], theirs.columns[name]]
  const form = declared.form(resource, name)
  const findings: Array<Finding> = []
  if (other === undefined) {
    const expected = form ?? (one === undefined ? undefined : toForm(one))
    return theirs.rows > 0 && expected !== undefined
      ? [{ _tag: "ColumnDiffers", column: name, ours: expected, theirs: null }]
      : []
  }
  if (one === undefined && form === undefined)
    return [{ _tag: "ColumnDiffers", column: name, ours: null, theirs: toForm(other) }]
  const seen = one === undefined || one.types.length === 0 ? undefined : one
  const types = seen?.types ?? form?.types ?? other.types
  const elements = seen?.elements.length === 0 ? undefined : (seen?.elements ?? form?.elements)
  const mayBeNull = form?.nullable !== false || one?.hasNull === true
  const hasOther =
    other.types.some((type) => !types.includes(type)) ||
    (elements !== undefined && other.elements.some((type) => !elements.includes(type))) ||
    (other.hasNull && !mayBeNull)
  if (hasOther) {
    const expected = { types, ...(elements === undefined ? {} : { elements }), nullable: mayBeNull }
    findings.push({ _tag: "ColumnDiffers", column: name, ours: expected, theirs: toForm(other) })
  }
  if (other.isUnreadable && one?.isUnreadable !== true && !hasOther) {
    findings.push({ _tag: "FormDiffers", column: name, ours: [], theirs: ["another form"] })
  }
  const words = new Set([...declared.words(resource, name), ...(one?.words ?? [])])
  const unknown = other.words.filter((word) => !words.has(word))
  const vocabulary = Column.byName(resource).get(name)?.vocabulary?.name
  if (vocabulary !== undefined && unknown.length > 0) {
    findings.push({ _tag: "VocabularyDiffers", column: name, vocabulary, ours: [], theirs: unknown })
  }
  const isOfNumbers = form?.types[0] === "number"
  const differsInForm = isOfNumbers
    ? seen !== undefined && other.types.length > 0 && !isSame(seen.forms, other.forms)
    : one !== undefined && isDisjoint(one.forms, other.forms)
  if (differsInForm) findings.push({ _tag: "FormDiffers", column: name, ours: one?.forms ?? [], theirs: other.forms })
  return findings
}

/** The findings in the rows of a resource. */
export const ofColumns = (
  resource: Resource.Any,
  ours: Survey,
  theirs: Survey,
  declared: Declared
): ReadonlyArray<Finding> =>
  [
    ...new Set([...Column.byName(resource).keys(), ...Object.keys(ours.columns), ...Object.keys(theirs.columns)])
  ].flatMap((name) => ofColumn(resource, name, ours, theirs, declared))

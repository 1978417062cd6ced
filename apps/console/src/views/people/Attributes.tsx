/**
 * The attributes of the user, by category: each value is set and cleared.
 */
import type * as Attribute from "@mfgdata/domain/Attribute"
import { useState } from "preact/hooks"
import * as Account from "../../service/Account.ts"
import { messagesByField } from "../../service/ServiceError.ts"
import { Button } from "../../ui/Button.tsx"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { Field, SelectField } from "../../ui/Field.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import * as Toasts from "../../ui/Toasts.tsx"
import * as AttributeText from "./AttributeText.ts"

const none = { value: "", text: "(none)" }

const optionsOf = (
  attribute: Attribute.UserAttribute,
  stored: string
): ReadonlyArray<{ readonly value: string; readonly text: string }> | undefined => {
  if (AttributeText.typeOf(attribute) === "boolean") {
    return [none, { value: "true", text: "Yes" }, { value: "false", text: "No" }]
  }
  if (attribute.listOptions === null) return undefined
  const words = [...new Set([...attribute.listOptions, ...(stored === "" ? [] : [stored])])]
  return [none, ...words.map((word) => ({ value: word, text: word }))]
}

const AttributeField = ({
  attribute,
  onChange
}: {
  readonly attribute: Attribute.UserAttribute
  readonly onChange: () => void
}) => {
  const { id, name, userAttributeValue } = attribute
  const [value] = userAttributeValue
  const stored = AttributeText.fromValue(value)
  const type = AttributeText.typeOf(attribute)
  const [text, setText] = useState(stored)
  const [error, setError] = useState<unknown>(undefined)
  const options = optionsOf(attribute, stored)
  const save = async () => {
    setError(undefined)
    try {
      if (text !== "") {
        const parameters = { userAttributeId: id, type, value: AttributeText.toValue(type, text) }
        await Account.perform("upsertUserAttributeValue", parameters)
      } else if (value !== undefined) {
        await Account.perform("deleteUserAttributeValue", { userAttributeId: id, userAttributeValueId: value.id })
      }
      Toasts.show(`${name} is saved.`)
      onChange()
    } catch (cause) {
      setError(cause)
    }
  }
  const setFrom = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => setText(currentTarget.value)
  const about = { label: name, hint: type, error: messagesByField(error).get("value") }
  return (
    <form
      class="attribute"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {options === undefined ? (
        <Field {...about}>
          {(described) => {
            const input = { ...described, value: text, onInput: setFrom }
            return type === "date" ? <input type="date" {...input} /> : <input {...input} />
          }}
        </Field>
      ) : (
        <SelectField
          {...about}
          options={options}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <ErrorMessage error={error} />
      {text === stored ? null : (
        <p class="row">
          <Button type="submit">Save {name}</Button>
        </p>
      )}
    </form>
  )
}

export const Attributes = () => {
  const { error, reload, value } = useLoad((signal) => Account.perform("getAllAttributeCategories", {}, signal), [])
  return (
    <section class="card world-card">
      <h2>Your attributes</h2>
      <ErrorMessage error={error} />
      {value?.results.length === 0 ? <p class="hint">The company has no categories of attributes.</p> : null}
      {value?.results.map(({ emoji, id, name, userAttribute }) => (
        <fieldset key={id} class="category">
          <legend>
            {emoji} <bdi>{name}</bdi>
          </legend>
          {userAttribute.length === 0 ? <p class="hint">No attributes.</p> : null}
          <div class="person-fields">
            {userAttribute.map((attribute) => (
              <AttributeField
                key={`${attribute.id} ${AttributeText.fromValue(attribute.userAttributeValue[0])}`}
                attribute={attribute}
                onChange={reload}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </section>
  )
}

/**
 * The fields that filter the traffic; each is a parameter of the address.
 */
import * as Address from "../../router/Address.ts"
import * as Catalogue from "../../service/Catalogue.ts"
import { Choice, Input } from "../../ui/records/FilterField.tsx"

const methods = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]
const statuses = ["2xx", "3xx", "4xx", "5xx"]

const resources = Catalogue.resources.map(({ name }) => name)

export const FilterBar = () => (
  <div class="filter-bar" role="search" aria-label="Filter the traffic">
    <input
      type="search"
      aria-label="Text"
      placeholder="Text in what is shown"
      value={Address.query.value.get("text") ?? ""}
      onInput={({ currentTarget }) => Address.setQuery({ text: currentTarget.value })}
    />
    <Choice label="Method" name="method" options={methods} />
    <Choice label="Status" name="status" options={statuses} />
    <Choice label="Resource" name="resource" options={resources} />
    <Input label="Path begins with" name="path" />
    <Input label="Name of the key" name="key" />
    <Input label="Slower than (ms)" name="slower" />
    <label class="check">
      <input
        type="checkbox"
        checked={Address.query.value.get("fault") === "*"}
        onChange={({ currentTarget }) => Address.setQuery({ fault: currentTarget.checked ? "*" : undefined })}
      />
      With a fault
    </label>
  </div>
)

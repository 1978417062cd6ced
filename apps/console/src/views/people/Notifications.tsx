/**
 * The notification preferences of the user, by topic and channel. A topic without a preference is empty.
 */
import { useState } from "preact/hooks"
import * as Account from "../../service/Account.ts"
import { channels, topics } from "../../service/operations.derived.ts"
import { ErrorMessage } from "../../ui/ErrorMessage.tsx"
import { useLoad } from "../../ui/useLoad.ts"
import { DataTable } from "../../ui/DataTable.tsx"

export const Notifications = () => {
  const { error, reload, value } = useLoad((signal) => Account.perform("getNotificationPreferences", {}, signal), [])
  const [refusal, setRefusal] = useState<unknown>(undefined)
  const stored = value?.results ?? []
  const shown = [...new Set([...topics, ...stored.map(({ topic }) => topic)])]
  const set = async (topic: string, channel: (typeof channels)[number], enabled: boolean) => {
    setRefusal(undefined)
    try {
      await Account.perform("upsertNotificationPreference", { topic, channel, enabled })
    } catch (cause) {
      setRefusal(cause)
    }
    reload()
  }
  return (
    <section class="card world-card">
      <h2>Your notifications</h2>
      <ErrorMessage error={refusal ?? error} />
      <DataTable label="Notification preferences" headings={["Topic"]}>
        {shown.map((topic) => (
          <tr key={topic}>
            <th scope="row">
              <bdi>{topic}</bdi>
            </th>
            {channels.map((channel) => {
              const preference = stored.find((each) => each.topic === topic && each.channel === channel)
              return (
                <td key={channel}>
                  <label class="check">
                    <input
                      type="checkbox"
                      aria-label={`${topic} by ${channel}`}
                      checked={preference?.enabled === true}
                      disabled={value === undefined}
                      onChange={({ currentTarget }) => void set(topic, channel, currentTarget.checked)}
                    />
                    {preference === undefined ? <small>not set</small> : null}
                  </label>
                </td>
              )
            })}
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

/**
 * Names with their values, such as the headers of a message.
 */
import type { ComponentChildren } from "preact"

export const Pairs = ({ pairs }: { readonly pairs: Iterable<readonly [name: string, value: ComponentChildren]> }) => (
  <dl class="pairs">
    {Array.from(pairs, ([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/**
 * The navigation: the views and the resources.
 */
import { useState } from "preact/hooks"
import * as Address from "../router/Address.ts"
import * as Catalogue from "../service/Catalogue.ts"
import { Icon } from "../ui/Icon.tsx"
import { views } from "../views/views.ts"

const isShown = (path: string): boolean => {
  const shown = Address.path.value
  return shown === path || (path !== "/" && shown.startsWith(`${path}/`))
}

const Entry = ({ children, path }: { readonly children: preact.ComponentChildren; readonly path: string }) => (
  <li>
    <a href={Address.href(path)} aria-current={isShown(path) ? "page" : undefined}>
      {children}
    </a>
  </li>
)

export const Navigation = () => {
  const [text, setText] = useState("")
  const matching = Catalogue.sorted.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase().trim()))
  return (
    <nav class="navigation" aria-label="Views and resources">
      <ul>
        {views.map(({ icon, path, title }) =>
          icon === undefined ? null : (
            <Entry key={path} path={path}>
              <Icon name={icon} /> {title}
            </Entry>
          )
        )}
      </ul>
      <h2>Data</h2>
      <input
        type="search"
        aria-label="Filter resources"
        placeholder="Filter"
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul class="resources">
        {matching.map(({ name }) => (
          <Entry key={name} path={`/${name}`}>
            {name}
          </Entry>
        ))}
      </ul>
    </nav>
  )
}

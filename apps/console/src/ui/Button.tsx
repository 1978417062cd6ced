/**
 * Buttons: with a text, or with an icon and a name for screen readers.
 */
import type { ComponentChildren, JSX } from "preact"
import { Icon, type IconName } from "./Icon.tsx"

type Native = Omit<JSX.IntrinsicElements["button"], "icon" | "size" | "children" | "class">

export interface ButtonProps extends Native {
  readonly kind?: "plain" | "primary" | "danger" | "quiet"
  readonly icon?: IconName
  readonly children?: ComponentChildren
}

export const Button = ({ children, icon, kind = "plain", type = "button", ...rest }: ButtonProps) => (
  <button {...rest} type={type} class={`button ${kind}`}>
    {icon === undefined ? null : <Icon name={icon} />}
    {children}
  </button>
)

export interface IconButtonProps extends Native {
  /** The name for screen readers, and the tip. */
  readonly label: string
  readonly icon: IconName
}

export const IconButton = ({ icon, label, type = "button", ...rest }: IconButtonProps) => (
  <button {...rest} type={type} class="button icon-button quiet" aria-label={label} title={label}>
    <Icon name={icon} />
  </button>
)

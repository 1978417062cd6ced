/**
 * The views, in the order of the navigation. The first whose path matches is shown.
 */
import type { View } from "./View.ts"

export const views: ReadonlyArray<View> = [
  {
    name: "home",
    path: "/",
    title: "Home",
    icon: "home",
    key: "h",
    load: () => import("./home/View.tsx")
  },
  {
    name: "traffic",
    path: "/traffic",
    title: "Traffic",
    icon: "traffic",
    key: "t",
    isForAdministrators: true,
    load: () => import("./traffic/View.tsx")
  },
  {
    name: "webhooks",
    path: "/webhooks",
    title: "Webhooks",
    icon: "hook",
    key: "e",
    isForAdministrators: true,
    load: () => import("./webhooks/View.tsx")
  },
  {
    name: "worlds",
    path: "/worlds",
    paths: ["/worlds/diff"],
    title: "Worlds",
    icon: "world",
    key: "w",
    isForAdministrators: true,
    load: () => import("./worlds/View.tsx")
  },
  {
    name: "faults",
    path: "/faults",
    title: "Faults",
    icon: "fault",
    key: "f",
    isForAdministrators: true,
    load: () => import("./faults/View.tsx")
  },
  {
    name: "history",
    path: "/history",
    title: "History",
    icon: "history",
    key: "c",
    isForAdministrators: true,
    load: () => import("./history/View.tsx")
  },
  {
    name: "keys",
    path: "/keys",
    title: "Keys",
    icon: "key",
    key: "k",
    isForAdministrators: true,
    load: () => import("./keys/View.tsx")
  },
  {
    name: "people",
    path: "/people",
    title: "People",
    icon: "users",
    key: "p",
    load: () => import("./people/View.tsx")
  },
  {
    name: "health",
    path: "/health",
    title: "Health",
    icon: "health",
    key: "m",
    isForAdministrators: true,
    load: () => import("./health/View.tsx")
  },
  // The paths of the rows match all others, so they are the last.
  { name: "data", path: "/:resource", title: "Data", load: () => import("./data/View.tsx") },
  { name: "row", path: "/:resource/:key", title: "Row", load: () => import("./row/View.tsx") }
]

/**
 * The icons, as paths of 16 by 16 units in the colour of the text.
 */
const paths = {
  home: "M2 8l6-5.5L14 8M4 7v6.5h8V7",
  table: "M2 3h12v10H2zM2 6.5h12M2 10h12M6 3v10",
  traffic: "M2 5h10M9 2l3 3-3 3M14 11H4M7 8l-3 3 3 3",
  hook: "M8 2v7a2.5 2.5 0 1 0 2.5 2.5M8 2L5.5 4.5M8 2l2.5 2.5",
  world: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2.2 2 2.2 10 0 12M8 2c-2.2 2-2.2 10 0 12",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3l2 2",
  key: "M10 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM7 9l-5 5M4 12l2 2",
  users:
    "M6 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM1.5 13c0-2.5 2-4 4.5-4s4.500 1.500 4.500 4M11 4.500a2 2 0 1 1 0 4M12 10c1.500.5 2.500 1.500 2.500 3",
  health: "M1.500 8h3l2-5 3 10 2-5h3",
  history: "M2.500 8a5.500 5.500 0 1 1 1.600 3.900M2.500 12v-3h3M8 5v3l2 1.500",
  fault: "M8 2l6.500 11.500h-13zM8 6.500v3M8 11.500v.2",
  search: "M7 2.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.500 10.500L14 14",
  plus: "M8 3v10M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  more: "M3 8h.1M8 8h.1M13 8h.1",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  check: "M3 8.500l3.500 3.500L13 4.500",
  copy: "M5.500 5.500h7v8h-7zM3.500 10.500v-8h7",
  code: "M5 4L1.500 8 5 12M11 4l3.500 4L11 12M9 3L7 13",
  undo: "M3 6h7a3.500 3.500 0 0 1 0 7H6M3 6l3-3M3 6l3 3",
  trash: "M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.6 9h5.800l.6-9",
  edit: "M3 13l.6-3L11 2.600 13.400 5 6 12.400z",
  upload: "M8 11V3M5 6l3-3 3 3M3 13h10",
  download: "M8 3v8M5 8l3 3 3-3M3 13.500h10",
  filter: "M2 3h12L9.500 8.500V13l-3-1.500v-3z",
  columns: "M2.500 3h11v10h-11zM6 3v10M10 3v10",
  refresh: "M13.500 8A5.500 5.500 0 1 1 12 4.200M13.500 2v3h-3",
  menu: "M2 4h12M2 8h12M2 12h12",
  out: "M6 3H3v10h3M7 8h7M11 5l3 3-3 3",
  book: "M3 2.500h8.500a1.500 1.500 0 0 1 1.500 1.500v9.500H4.500A1.500 1.500 0 0 1 3 12zM3 11.500h10",
  play: "M4.500 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10"
}

export type IconName = keyof typeof paths

/** An icon; the element around it has the name for screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)

/** The style sheet of the reference page, with a light and a dark theme. Its tokens are those of the console. */
export const css = `
:root {
  color-scheme: light dark;
  --back: light-dark(#fbfbfa, #15181a);
  --raised: light-dark(#ffffff, #1c2023);
  --sunken: light-dark(#f1f2f0, #101314);
  --line: light-dark(#dcdfdb, #32383b);
  --line-strong: light-dark(#868d87, #7d878b);
  --text: light-dark(#1b1f1d, #e8ebe9);
  --soft: light-dark(#555d58, #a3aca8);
  --accent: light-dark(#1a6553, #5fc9ac);
  --accent-back: light-dark(#e3f1ec, #1d3a33);
  --on-accent: light-dark(#ffffff, #0c1a16);
  --danger: light-dark(#a92a1e, #ff9a8d);
  --warning: light-dark(#7a4b00, #f2c36b);
  --good: light-dark(#1a6b34, #77d394);
  --info: light-dark(#1d5a94, #8cc1f2);
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  --radius: 6px;
}
:root[data-theme=light] { color-scheme: light } :root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
html { scroll-behavior: smooth; scroll-padding-top: 1.5rem }
body { margin: 0; display: grid; grid-template-columns: 18.5rem minmax(0, 1fr); background: var(--back); color: var(--text);
  font: 15px/1.55 var(--font) }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; background: var(--raised);
  border-right: 1px solid var(--line); font-size: .85rem }
nav header { display: flex; justify-content: space-between; align-items: center; gap: .5rem; margin-bottom: .9rem }
nav header a { font-weight: 650; color: var(--text); text-decoration: none }
nav h4 { margin: 1.3rem 0 .35rem; font-size: .72rem; letter-spacing: .07em; text-transform: uppercase; color: var(--soft) }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a { display: block; padding: .16rem .55rem; margin-left: -.55rem; border-radius: .3rem; color: var(--text);
  text-decoration: none; overflow-wrap: anywhere }
nav li a:hover, nav li a.here { background: var(--line) } nav li a.here { color: var(--accent); font-weight: 600 }
input, button, textarea { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line-strong); border-radius: var(--radius) }
input, textarea { width: 100%; padding: .4rem .6rem } button { cursor: pointer; padding: .1rem .5rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
main { padding: 2.25rem clamp(1.25rem, 4vw, 3.5rem) 30vh; max-width: 78rem }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 } .version { color: var(--soft); margin: .25rem 0 1.5rem }
section { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1.75rem }
h2 { font-size: 1.45rem; margin: 0 } h3 { display: flex; align-items: center; gap: .6rem; font-size: 1rem; margin: 0 }
.lead { color: var(--soft); margin: .25rem 0 1rem }
article { margin-top: 1.75rem; padding: 1.25rem; border: 1px solid var(--line); border-radius: .6rem }
article:target, section:target > h2 { border-color: var(--accent); scroll-margin-top: 1.5rem }
.anchor { color: var(--soft); text-decoration: none; opacity: 0; margin-left: .35rem } :hover > .anchor, .anchor:focus { opacity: 1 }
a { color: var(--accent) }
code, pre { font: .84em/1.5 var(--mono) }
pre code { font-size: inherit }
p code, td code, .words code { background: var(--sunken); padding: .08em .32em; border-radius: .25rem }
pre { margin: 0; padding: .8rem; overflow: auto; max-height: 24rem; background: var(--sunken); border-radius: 0 0 .4rem .4rem }
.method { font-size: .7rem; font-weight: 700; letter-spacing: .04em; padding: .1rem .45rem; border: 1px solid currentColor; border-radius: .3rem }
.get { color: var(--good) } .post { color: var(--info) } .put { color: var(--warning) } .patch { color: var(--accent) } .delete { color: var(--danger) }
.scroll { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: .875rem; margin: .5rem 0 }
th, td { text-align: left; vertical-align: top; padding: .38rem .75rem .38rem 0; border-bottom: 1px solid var(--line) }
thead th { color: var(--soft); font-weight: 500; font-size: .75rem } th code { font-weight: 600 }
.type { color: var(--soft); white-space: nowrap } .note { font-size: .75rem; color: var(--soft); white-space: nowrap }
.note.required { color: var(--danger) } .words { line-height: 1.9 } .words code { white-space: nowrap }
.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; margin-top: .9rem }
.sample { margin: 0 } figcaption { display: flex; justify-content: space-between; font-size: .75rem; color: var(--soft);
  background: var(--sunken); border-radius: .4rem .4rem 0 0; padding: .35rem .8rem; border-bottom: 1px solid var(--line) }
.responses { list-style: none; margin: 0; padding: 0; font-size: .875rem } .responses li { margin-bottom: .3rem } .responses pre { border-radius: .4rem; margin-top: .3rem }
.shared { color: var(--soft) } .shared .status { min-width: 0; margin-left: .35em; font-weight: 500 }
.status { display: inline-block; min-width: 2.6em; font-variant-numeric: tabular-nums } .s2 { color: var(--good) } .s4, .s5 { color: var(--danger) }
summary { cursor: pointer } article > details > summary { font-size: .875rem; color: var(--soft) }
figcaption span { display: flex; gap: .4rem } figcaption button { min-height: 24px }
.trial { display: grid; gap: .6rem; margin-top: .9rem; padding: .9rem; border: 1px solid var(--accent); border-radius: var(--radius) }
.trial label { display: grid; gap: .2rem; font-size: .8rem; font-weight: 600 } .trial .lead { margin: 0; font-size: .85rem }
.trial input, .trial textarea { font: .82rem/1.5 var(--mono) } .trial pre { border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere }
.send { justify-self: start; min-height: 2rem; padding: .2rem .9rem; background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
.send:disabled { opacity: .55 } .to-console { margin-left: .8rem; font-size: .85rem; font-weight: 400 }
[hidden] { display: none !important }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; max-height: 45vh } .pair { grid-template-columns: minmax(0, 1fr) } }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
`

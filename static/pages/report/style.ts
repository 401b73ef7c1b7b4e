/** The style sheet of a report: on a screen in light and dark, and on paper. */
import type { Brand } from '../../../core/brand.ts'

const light = `--paper: #f6f4ee; --card: #fffefb; --ink: #1d1b18; --soft: #5d5850; --line: #ddd7ca;`
const dark = `--paper: #141312; --card: #1e1c1a; --ink: #f4f0e8; --soft: #b1aa9f; --line: #38342f;`
const own = { light: '#bf3617', dark: '#ff8a69' }

/** `colours` are the accents of the shop. */
export function reportStyle({ colours = own }: Pick<Brand, 'colours'>): string {
  return `:root { color-scheme: light dark; ${light} --accent: ${colours.light}; }
@media (prefers-color-scheme: dark) { :root { ${dark} --accent: ${colours.dark}; } }
${rules}
@media print {
  :root { color-scheme: light; ${light} --paper: #fff; --card: #fff; --accent: ${colours.light}; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  html { font-size: 10pt; }
  body { padding: 0; }
  main { max-width: none; }
  details { display: none; }
  section, figure, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
  .scroll { overflow: visible; }
}
@page { size: A4; margin: 16mm; }
`
}

const rules = `* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 1rem / 1.55 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Hiragino Sans GB",
    "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif; overflow-wrap: break-word; }
main, header, footer { max-width: 56rem; margin-inline: auto; }
header p { margin: 0; color: var(--soft); }
.shop { font-weight: 650; color: var(--ink); }
h1 { margin: 0.25rem 0; font-size: clamp(1.5rem, 5vw, 2.1rem); line-height: 1.2; text-wrap: balance; }
h2 { margin: 0 0 0.75rem; font-size: 1.2rem; }
.headline { margin: 1.25rem 0; padding-inline-start: 0.9rem; border-inline-start: 4px solid var(--accent);
  font-size: clamp(1.15rem, 3.5vw, 1.45rem); font-weight: 600; line-height: 1.4; }
section { margin-block: 1.25rem; padding: 1.1rem 1.2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 14px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 40%), 1fr)); gap: 1rem; margin: 0; }
.tiles div { display: flex; flex-direction: column; min-width: 0; }
.tiles dt { color: var(--soft); font-size: 0.875rem; }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; font-variant-numeric: tabular-nums; line-height: 1.3; }
.tiles small { display: block; color: var(--soft); font-size: 0.875rem; font-weight: 400; }
.scroll { overflow-x: auto; }
.scroll :is(th, td) { white-space: nowrap; }
.scroll th[scope="row"] { min-width: 6rem; white-space: normal; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.scroll:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding-block-end: 0.4rem; color: var(--soft); font-size: 0.875rem; text-align: start; }
th, td { padding: 0.4rem 0.6rem; border-block-end: 1px solid var(--line); text-align: end; vertical-align: baseline; }
th:first-child, td:first-child { padding-inline-start: 0; text-align: start; }
th[scope="row"] { font-weight: 500; }
thead th { color: var(--soft); font-size: 0.875rem; font-weight: 600; }
@media screen and (max-width: 30rem) {
  .scroll table { font-size: 0.875rem; }
  .scroll :is(th, td) { padding-inline: 0.35rem; white-space: normal; }
  .scroll :is(th, td):first-child { min-width: 0; padding-inline-start: 0; }
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked :is(table, tbody, tr, th) { display: block; }
  .stacked tr { padding-block: 0.4rem; border-block-end: 1px solid var(--line); }
  .stacked :is(th, td) { padding: 0.1rem 0; border: 0; }
  .stacked th[scope="row"] { font-weight: 650; }
  .stacked td { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: 0.75rem; }
  .stacked td::before { content: attr(data-label); color: var(--soft); }
}
td.bar { width: 30%; vertical-align: middle; }
svg.share { display: block; width: 100%; height: 0.6rem; }
svg.share rect, .plot rect { fill: var(--accent); }
figure { margin: 0 0 1.5rem; }
figcaption { margin-block-end: 0.4rem; font-weight: 600; }
.plot__title { display: flex; justify-content: space-between; gap: 1rem; margin: 0.6rem 0 0.2rem; color: var(--soft); font-size: 0.875rem; }
.plot { position: relative; border-block-end: 1px solid var(--soft); border-block-start: 1px dashed var(--line); }
.plot svg { display: block; width: 100%; height: 8rem; }
.area { fill: var(--accent); opacity: 0.18; }
.curve { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
.axis { display: flex; justify-content: space-between; margin: 0.2rem 0 0; color: var(--soft); font-size: 0.8rem; }
.note { margin: 0.4rem 0 0; color: var(--soft); font-size: 0.9rem; }
details { margin-block-start: 0.5rem; }
summary { color: var(--soft); font-size: 0.9rem; cursor: pointer; }
.terms dt { margin-block-start: 0.6rem; font-weight: 600; }
.terms dd { margin: 0; color: var(--soft); }
footer { color: var(--soft); font-size: 0.9rem; }
@media (max-width: 40rem) { td.bar, th.bar { display: none; } th, td { padding-inline: 0.3rem; } }`

/** What sections of a report are made of. */
import { type Html, html } from '../html.ts'
import type { ReportKey, ReportVoice } from './voice.ts'

export const nothing = html``

export function section({ t }: ReportVoice, key: ReportKey, ...content: Html[]): Html {
  return html`<section>
<h2>${t(key)}</h2>
${content}</section>
`
}

/** A label, its value, and what the value is to be compared with. */
export type Tile = readonly [label: string, value: string, aside?: string | undefined]

export function tiles(all: readonly Tile[]): Html {
  const each = all.map(([label, value, aside]) => {
    const small = aside === undefined ? nothing : html`<small>${aside}</small>`
    return html`<div><dt>${label}</dt><dd>${value}${small}</dd></div>
`
  })
  return html`<dl class="tiles">
${each}</dl>
`
}

/** Rows of a table; the first cell names its row. The caption is read out, and stands above as a heading. */
export function table(
  { t }: ReportVoice,
  caption: string,
  headings: readonly ReportKey[],
  rows: readonly (readonly string[])[],
): Html {
  const heads = headings.map((key) => html`<th scope="col">${t(key)}</th>`)
  const lines = rows.map(([name = '', ...cells]) => {
    const others = cells.map((cell) => html`<td>${cell}</td>`)
    return html`<tr><th scope="row">${name}</th>${others}</tr>
`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table></div>
`
}

/** The same; on a phone the cells of a row are below each other, each beside its heading. CSS takes it apart, so its parts name their roles. */
export function stackedTable(
  { t }: ReportVoice,
  caption: string,
  headings: readonly ReportKey[],
  rows: readonly (readonly string[])[],
): Html {
  const names = headings.map((key) => t(key))
  const heads = names.map((name) => html`<th scope="col" role="columnheader">${name}</th>`)
  const lines = rows.map(([name = '', ...cells]) => {
    const others = cells.map(
      (cell, n) => html`<td role="cell" data-label="${names[n + 1] ?? ''}">${cell}</td>`,
    )
    return html`<tr role="row"><th scope="row" role="rowheader">${name}</th>${others}</tr>
`
  })
  return html`<div class="scroll stacked" tabindex="0" role="region" aria-label="${caption}"><table role="table"><caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${lines}</tbody></table></div>
`
}

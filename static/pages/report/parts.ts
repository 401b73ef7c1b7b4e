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

/** `isStacked`: on a phone the cells of a row are below each other, each beside its heading. */
type Table = {
  headings: readonly ReportKey[]
  rows: readonly (readonly string[])[]
  isStacked?: boolean
}

/** Rows of a table; the first cell names its row. The caption is read out, and stands above as a heading. */
export function table({ t }: ReportVoice, key: ReportKey, { headings, rows, isStacked }: Table): Html {
  const [caption, names] = [t(key), headings.map((heading) => t(heading))]
  // CSS takes a stacked table apart, so its parts name their roles.
  const role = (name: string) => (isStacked ? html` role="${name}"` : nothing)
  const label = (name = '') => (isStacked ? html` data-label="${name}"` : nothing)
  const heads = names.map((name) => html`<th scope="col"${role('columnheader')}>${name}</th>`)
  const lines = rows.map(([name = '', ...cells]) => {
    const others = cells.map((cell, n) => html`<td${role('cell')}${label(names[n + 1])}>${cell}</td>`)
    return html`<tr${role('row')}><th scope="row"${role('rowheader')}>${name}</th>${others}</tr>
`
  })
  return html`<div class="scroll${isStacked ? ' stacked' : ''}" tabindex="0" role="region" aria-label="${caption}"><table${role('table')}><caption class="unseen">${caption}</caption>
<thead${role('rowgroup')}><tr${role('row')}>${heads}</tr></thead>
<tbody${role('rowgroup')}>
${lines}</tbody></table></div>
`
}

/** A point in time in a page: UTC as written, the reader's own zone once the script runs. */
import { type Html, html } from './html.ts'

/** `ms` is epoch ms. */
export function moment(ms: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}" data-ms="${ms}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

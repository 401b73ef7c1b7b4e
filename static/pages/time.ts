/** Points in time in a page: UTC as written, the reader's own zone once the script runs. */
import { type Html, html } from './html.ts'

/** `ms` is epoch ms. */
export function moment(ms: number): Html {
  return written(ms, html``)
}

/** One that may be years away: the script names its year too. */
export function farMoment(ms: number): Html {
  return written(ms, html` data-far`)
}

function written(ms: number, mark: Html): Html {
  return html`<time datetime="${new Date(ms).toISOString()}" data-ms="${ms}"${mark}>${utcText(ms)}</time>`
}

/** `2030-01-01 00:00 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

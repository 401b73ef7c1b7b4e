/** Renders times: in UTC at first, in the reader's zone once the script runs. */
import type { Sale } from '../../core/sale/sale.ts'
import { momentText } from '../messages/time-text.ts'
import { type Html, html } from './html.ts'
import { ownLanguage } from './say.ts'

/** Renders `ms`, epoch ms. */
export function moment(ms: number): Html {
  return html`<time datetime="${new Date(ms).toISOString()}" data-ms="${ms}">${utcText(ms)}</time>`
}

/** Renders a time of the sale, and again in its own zone, which the script hides from readers with the same time. */
export function momentOfSale({ timeZone }: Pick<Sale, 'timeZone'>, ms: number): Html {
  if (timeZone === undefined) return moment(ms)
  const there = momentText(ms, ownLanguage(), { zone: true, timeZone })
  return html`${moment(ms)} <small data-zone="${timeZone}" data-at="${ms}">(${there})</small>`
}

/** Returns `2030-01-01 00:00 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/**
 * The two public files that a waiting page reads: the pointer `current.json`, which is small and overwritten, and the
 * immutable `countdown.<version>.js` (C6), also published as `countdown.<version>.json` for clients without scripts.
 * Neither may contain the start token before the start. Until then the countdown has an armed token instead, which the
 * gate accepts in the first seconds.
 */

import type { SaleId } from '../ids.ts'
import type { Language } from '../language.ts'
import { type Available, type Phase, phaseAt } from './phase.ts'
import type { Sale } from './sale.ts'
import type { VariantUnits } from './variants.ts'
import { type EarlyAccess, nextWindow } from './windows.ts'

/**
 * `remaining` is -1 for an unlimited stock. `variants` has the units left of each variant. Times are epoch ms.
 * `nextStartsAt` is the start of the next window, or null (R7). `at` is the publisher's time before it read the units.
 */
export type Pointer = {
  saleId: SaleId
  version: number
  at: number
  phase: Phase
  startsAt: number
  endsAt: number
  nextStartsAt: number | null
  src: string
  remaining: Available
  variants?: VariantUnits
}

/**
 * The `countdown` that `countdown.<version>.js` exports, and the content of `countdown.<version>.json`. `requirePass` and
 * `spreadSeconds` (pass.ts, spread.ts) are present if they differ from the default; turns of the spread are derived from
 * `turnKey`. `earlyMinutes` is how long only members may buy (windows.ts), if they may buy first. `startToken` is the token
 * that a click sends, present once the marketer has started the sale. It changes at the start, when `started` becomes true.
 */
export type Countdown = {
  saleId: SaleId
  version: number
  started: boolean
  startsAt: number
  endsAt: number
  requirePass?: Sale['requirePass']
  spreadSeconds?: number
  turnKey?: string
  earlyMinutes?: EarlyAccess['minutes']
  startToken?: string
}

/**
 * The product for pages of other sites that may sell the sale (page-origin.ts). Only the JSON of the countdown has it, so
 * that the shop's own pages do not load it. `price` is in minor units with `digits` decimals. `titles` are by language.
 * `onPage`: the sale asks for more than a click.
 */
export type EmbeddedProduct = {
  title: string
  titles?: Partial<Record<Language, string>>
  price: number
  currency: string
  digits: number
  onPage?: true
}

type PublishedSale = Pick<
  Sale,
  | 'saleId'
  | 'version'
  | 'flag'
  | 'warmed'
  | 'startToken'
  | 'armed'
  | 'startsAt'
  | 'endsAt'
  | 'windows'
  | 'windowIndex'
  | 'requirePass'
  | 'spreadSeconds'
  | 'earlyAccess'
>

export function pointerPath(saleId: SaleId): string {
  return `sales/${saleId}/current.json`
}

export function countdownPath(saleId: SaleId, version: number): string {
  return `sales/${saleId}/countdown.${version}.js`
}

export function countdownJsonPath(saleId: SaleId, version: number): string {
  return `sales/${saleId}/countdown.${version}.json`
}

export function pagePath(saleId: SaleId): string {
  return `sales/${saleId}/index.html`
}

/** Returns the path of a file that an option publishes for a sale, in a folder with the name of its field. */
export function addedFilePath(saleId: SaleId, name: string, file: string): string {
  return `sales/${saleId}/${name}/${file}`
}

/** Returns the pointer of the current version. `available`, `variants` and `mayRestock` were read after `at`. */
export function pointerOf(
  sale: PublishedSale,
  at: number,
  available: Available,
  { variants, mayRestock = false }: { variants?: VariantUnits | undefined; mayRestock?: boolean } = {},
): Pointer {
  const { saleId, version, startsAt, endsAt } = sale
  const src = `/${countdownPath(saleId, version)}`
  const nextStartsAt = nextWindow(sale)?.startsAt ?? null
  return {
    saleId,
    version,
    at,
    phase: phaseAt({ ...sale, hasNext: nextStartsAt !== null }, at, available, mayRestock),
    startsAt,
    endsAt,
    nextStartsAt,
    src,
    remaining: available,
    ...(variants && { variants }),
  }
}

/** Returns the countdown of the current version. `armedTokenOf` derives the armed token from the start token. */
export function countdownOf(sale: PublishedSale, armedTokenOf: (startToken: string) => string): Countdown {
  const { saleId, version, startsAt, endsAt, requirePass, spreadSeconds, earlyAccess, armed = false } = sale
  const startToken = sale.flag === 'on' ? sale.startToken : null
  const armedToken = startToken === null ? undefined : armedTokenOf(startToken)
  const rules = {
    ...(requirePass === 'off' && { requirePass }),
    ...(spreadSeconds > 0 && { spreadSeconds, ...(armedToken && { turnKey: armedToken }) }),
    ...(earlyAccess && { earlyMinutes: earlyAccess.minutes }),
  }
  const token = armed ? armedToken : startToken
  return {
    saleId,
    version,
    started: sale.flag === 'on' && !armed,
    startsAt,
    endsAt,
    ...rules,
    ...(token && { startToken: token }),
  }
}

/** Returns the countdown as the ES module that browsers import. */
export function countdownSource(countdown: Countdown): string {
  return `export const countdown = ${JSON.stringify(countdown)}\n`
}

/**
 * The two public objects a waiting page reads: `current.json`, small and replaced, and `countdown.<version>.js`,
 * immutable (C6), also published as `countdown.<version>.json` for clients without scripts. Neither may contain the
 * start token before the start: the countdown of a sale that waits for its time has a parameter in its place, which the
 * gate takes in the first seconds.
 */

import type { SaleId } from '../ids.ts'
import type { Language } from '../language.ts'
import { type Available, type Phase, phaseAt } from './phase.ts'
import type { Sale } from './sale.ts'
import type { VariantUnits } from './variants.ts'
import { type EarlyAccess, nextWindow } from './windows.ts'

/**
 * `remaining` is -1 for an unlimited stock; `variants` is what is left of each variant, in a sale that
 * has some. Times are epoch ms; `nextStartsAt` is the start of the
 * next window, or null (R7). `at` is from the publisher's clock, before it read the units.
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
 * What `countdown.<version>.js` exports as `countdown`, and what `countdown.<version>.json` is. `requirePass` and
 * `spreadSeconds` are what a click needs (pass.ts, spread.ts), where they are not the default; from `turnKey` follow
 * the turns of the spread. `earlyMinutes` is how long only members may buy (windows.ts), where that is so.
 * `startToken` is what a click sends, once the marketer has started the sale: another one from the start on, when
 * `started` is true.
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
 * What pages of other sites show of a sale that names them (page-origin.ts): in the JSON of its countdown alone, so
 * that the shop's own pages load no more, and a version from before keeps its bytes. `price` is in minor units, of
 * which `digits` are behind the point; `titles` are those of single languages. `onPage`: the sale asks for more than a
 * click.
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

/** Returns the path of a file that an option publishes of a sale: its folder has the name of the option's field. */
export function addedFilePath(saleId: SaleId, name: string, file: string): string {
  return `sales/${saleId}/${name}/${file}`
}

/** Returns the pointer of the present version; the units left, and whether they are checked, were read after `at`. */
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

/** Returns the countdown of the present version; `armedTokenOf` gives the parameter of the start token of a sale that is on. */
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

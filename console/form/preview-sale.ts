/** The sale as it is typed, for the preview of its page: what cannot be read yet has a stand-in. */
import { challengeKinds } from '../../core/gate/challenge.ts'
import { parseSaleId, type SaleId } from '../../core/ids.ts'
import { isCurrency } from '../../core/money.ts'
import type { Phase } from '../../core/sale/phase.ts'
import { isPictureAddress, type Picture } from '../../core/sale/pictures.ts'
import type { SaleDefinition, SaleWindow } from '../../core/sale/sale.ts'
import { maxEarlyMinutes, settingValue } from '../../core/sale/settings.ts'
import { allUnits, stocksById } from '../../core/sale/variants.ts'
import type { PublicSale } from '../../static/preview.ts'
import { isNumber } from '../../web/wire.ts'
import { textAt } from '../parts/text-parts.ts'
import { currencyCode } from '../parts/typed.ts'
import { type FormText, hasVariants, readText } from './form-text.ts'

/** The moments of a sale that the preview can show. */
export const previewStates = ['before', 'open', 'sold-out'] as const
export type PreviewState = (typeof previewStates)[number]

/** Placeholders for empty texts. */
export type StandIns = { title: string; description: string }

/** Until the start of a sale whose start cannot be read, or has passed. */
const usualWaitMs = 10 * 60_000
const usualLengthMs = 60 * 60_000

/** The sale that the page is drawn of; `now` is epoch ms. */
export function previewSale(text: FormText, standIns: StandIns, now: number): PublicSale {
  const { kind } = text
  const typed = currencyCode(textAt(text, 'currency'))
  const currency = isCurrency(typed) ? typed : 'EUR'
  const read = readText({ ...text, currency })
  /** The number there; undefined while it cannot be read. */
  const known = (path: string): number | undefined => {
    const value = settingValue(read, path)
    return isNumber(value) ? value : undefined
  }
  const count = (path: string) => Math.max(1, known(path) ?? 1)
  const words = (name: 'title' | 'description') => textAt(text, name).trim() || standIns[name]
  const variants = (read.variants ?? []).filter(({ id, name }) => id !== '' && name !== '')
  const stock = hasVariants(text)
    ? allUnits(stocksById(read.variants ?? []))
    : (known('stock') ?? known('packets.count'))
  const own = { startsAt: known('startsAt'), endsAt: known('endsAt'), stock, totalAmount: known('packets.totalAmount') }
  const windows = (read.windows ?? []).map((one) => completeWindow(one, now))
  const [first = completeWindow(own, now)] = windows
  const price = known('price') ?? 0
  const listPrice = known('listPrice') ?? 0
  const { translations, delivery } = read as Partial<SaleDefinition>
  const costs = Object.values(delivery?.costs ?? {})
  const [minutes = 0, minLevel = 0] = [known('earlyAccess.minutes'), known('earlyAccess.minLevel')]
  const hasEarlyAccess = minutes >= 1 && minutes <= maxEarlyMinutes && minLevel >= 1
  return {
    saleId: anyId(),
    kind,
    title: words('title'),
    description: words('description'),
    translations,
    pictures: ((read.pictures ?? []) as Picture[]).filter(({ src }) => isPictureAddress(src)),
    price,
    ...(listPrice > price && { listPrice }),
    ...(costs.length > 0 &&
      costs.every(isNumber) && {
        delivery: { countries: [], ...delivery, freeAbove: known('delivery.freeAbove') },
      }),
    currency,
    stock: first.stock,
    limitPerShopper: count('limitPerShopper'),
    maxPerOrder: count('maxPerOrder'),
    startsAt: first.startsAt,
    endsAt: first.endsAt,
    paymentWindowSeconds: known('paymentWindowSeconds') ?? 900,
    minLevel: known('minLevel') ?? 0,
    challenge: challengeKinds.find((one) => one === read.challenge) ?? 'off',
    windows,
    windowIndex: 0,
    warmed: true,
    flag: 'on',
    ...(kind === 'red-packet' && { packets: { count: first.stock, totalAmount: first.totalAmount ?? 0 } }),
    ...(kind === 'coupon' && {
      coupons: { validFrom: known('coupons.validFrom'), validUntil: known('coupons.validUntil') },
    }),
    ...(variants.length > 0 && { variants }),
    ...(hasEarlyAccess && { earlyAccess: { minutes, minLevel } }),
    version: 1,
  }
}

/** The state of the previewed page. `now` is epoch ms. */
export type Moment = { phase: Phase; now: number; remaining: number }

/** That moment of the sale; before the start, the clock counts from the real time where that is earlier. */
export function momentOf(sale: PublicSale, state: PreviewState, now: number): Moment {
  const { startsAt, stock } = sale
  if (state === 'open') return { phase: 'open', now: startsAt, remaining: stock }
  if (state === 'sold-out') return { phase: 'sold-out', now: startsAt, remaining: 0 }
  return { phase: 'scheduled', now: now < startsAt ? now : startsAt - usualWaitMs, remaining: stock }
}

/** A window with times in their order, and with units. */
function completeWindow(
  { startsAt, endsAt, stock, totalAmount, ...others }: Partial<SaleWindow>,
  now: number,
): SaleWindow {
  const start = isNumber(startsAt) ? startsAt : now + usualWaitMs
  const end = isNumber(endsAt) && endsAt > start ? endsAt : start + usualLengthMs
  const money = totalAmount === undefined ? {} : { totalAmount: totalAmount || 0 }
  return { ...others, startsAt: start, endsAt: end, stock: stock || 0, ...money }
}

/** The page draws nothing of it, and it stays the same while the real one follows the title. */
function anyId(): SaleId {
  const id = parseSaleId('preview')
  if (id === undefined) throw new Error('“preview” is no sale id')
  return id
}

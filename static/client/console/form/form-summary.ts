/** What a new sale will do, in plain sentences, before it is saved. */
import { type SaleDefinition, type SaleWindow, stockOfVariants } from '../../../../core/sale/sale.ts'
import { countryNames } from '../../lib/language.ts'
import type { Key, Speaker } from '../lib/kind-words.ts'
import { joinSentences } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'

type FarSpeaker = Speaker & { farMoment(ms: number): string }

/** `label` names what `text` is about. */
export type SummaryLine = { label: Key; text: string }

/** One line for each thing a marketer answers for. `now` is epoch ms. */
export function summaryLines(voice: FarSpeaker, sale: SaleDefinition, now: number): SummaryLine[] {
  const { earlyAccess: early } = sale
  const lines: [Key, string | undefined][] = [
    ['summary.what', offerText(voice, sale)],
    ['summary.when', timeText(voice, sale)],
    ['summary.start', startText(voice, sale, now)],
    ['summary.validity', validityText(voice, sale)],
    ['member.title', early && voice.t('member.level', { minutes: early.minutes, level: early.minLevel })],
    ['form.draw', sale.draw && voice.t('member.onlyDrawn')],
    ['summary.limit', limitText(voice, sale)],
    ['summary.pay', payText(voice, sale)],
    ['summary.delivery', deliveryText(voice, sale)],
    ['summary.turns', turnsText(voice, sale)],
    ['summary.check', voice.t(`summary.challenge.${sale.challenge}`)],
    ['summary.money', moneyText(voice, sale)],
  ]
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]))
}

/** The windows of a sale; one that lists none has a single one of its own. */
export function windowsOf({ windows, startsAt, endsAt, stock, packets }: SaleDefinition): SaleWindow[] {
  if (windows.length > 0) return windows
  return [{ startsAt, endsAt, stock, ...(packets && { totalAmount: packets.totalAmount }) }]
}

/** The units of all windows; undefined for an unlimited stock. */
export function totalUnits(sale: SaleDefinition): number | undefined {
  return sale.stock === -1 ? undefined : stockOfVariants(windowsOf(sale))
}

/** When the sale first starts, epoch ms. */
export function firstStart(sale: SaleDefinition): number {
  return windowsOf(sale)[0]?.startsAt ?? sale.startsAt
}

function offerText(voice: Speaker, sale: SaleDefinition): string {
  const { kind, title, price, currency, variants } = sale
  const n = totalUnits(sale)
  if (kind === 'red-packet') return voice.t('summary.packets', { n: n ?? 0, title })
  if (kind === 'coupon') {
    return n === undefined ? voice.t('summary.couponsUnlimited', { title }) : voice.t('summary.coupons', { n, title })
  }
  const each = { title, price: voice.money(price, currency) }
  const offer = n === undefined ? voice.t('summary.unlimited', each) : voice.t('summary.units', { n, ...each })
  return variants === undefined
    ? offer
    : joinSentences(voice, [offer, voice.t('summary.variants', { n: variants.length })])
}

function timeText(voice: FarSpeaker, sale: SaleDefinition): string {
  const windows = windowsOf(sale)
  // With the year, in which a mistyped date may be wrong.
  const far = { ...voice, moment: voice.farMoment }
  const args = {
    start: saleMoment(far, sale, firstStart(sale)),
    end: saleMoment(far, sale, windows.at(-1)?.endsAt ?? sale.endsAt),
  }
  return windows.length === 1
    ? voice.t('summary.window', args)
    : voice.t('summary.windows', { n: windows.length, ...args })
}

function startText(voice: Speaker, sale: SaleDefinition, now: number): string {
  const start = firstStart(sale)
  return start <= now
    ? voice.t('summary.atOnce')
    : voice.t('summary.byItself', { start: saleMoment(voice, sale, start) })
}

function limitText(voice: Speaker, sale: SaleDefinition): string {
  const { kind, limitPerShopper: limit, maxPerOrder: order, minLevel } = sale
  const units = kind === 'red-packet' ? voice.t('summary.onePacket') : voice.t('summary.perPerson', { limit, order })
  return minLevel === 0 ? units : joinSentences(voice, [units, voice.t('summary.members', { n: minLevel })])
}

/** Undefined where shoppers are served in the order in which they come. */
function turnsText(voice: Speaker, { spreadSeconds: n }: SaleDefinition): string | undefined {
  return n === 0 ? undefined : voice.t('summary.turnsText', { n })
}

function payText(voice: Speaker, { kind, price, paymentWindowSeconds: seconds }: SaleDefinition): string | undefined {
  if (kind !== 'goods') return undefined
  if (price === 0) return voice.t('summary.payNothing')
  return seconds % 60 === 0
    ? voice.t('summary.payMinutes', { n: seconds / 60 })
    : voice.t('summary.paySeconds', { n: seconds })
}

function deliveryText(voice: Speaker, { kind, delivery }: SaleDefinition): string | undefined {
  if (kind !== 'goods') return undefined
  const codes = delivery?.countries ?? []
  if (codes.length === 0) return voice.t('summary.noAddress')
  const nameOf = countryNames(voice.locale())
  const list = new Intl.ListFormat(voice.locale(), { type: 'disjunction' })
  return voice.t('summary.address', { countries: list.format(codes.map(nameOf)) })
}

function validityText(voice: Speaker, sale: SaleDefinition): string | undefined {
  if (sale.kind !== 'coupon') return undefined
  const { validFrom, validUntil } = sale.coupons ?? {}
  const moment = (ms: number) => saleMoment(voice, sale, ms)
  if (validFrom !== undefined && validUntil !== undefined) {
    return voice.t('summary.validBetween', {
      from: moment(validFrom),
      until: moment(validUntil),
    })
  }
  if (validFrom !== undefined) return voice.t('summary.validFrom', { from: moment(validFrom) })
  if (validUntil !== undefined) return voice.t('summary.validUntil', { until: moment(validUntil) })
  return voice.t('summary.validAlways')
}

/** An unlimited stock brings no sum that can be named. */
function moneyText(voice: Speaker, sale: SaleDefinition): string | undefined {
  const { kind, price, currency } = sale
  if (kind === 'red-packet') {
    const total = windowsOf(sale).reduce((sum, { totalAmount = 0 }) => sum + totalAmount, 0)
    return voice.t('summary.payout', { amount: voice.money(total, currency) })
  }
  if (kind === 'coupon' || price === 0) return voice.t('summary.noMoney')
  const units = totalUnits(sale)
  return units === undefined ? undefined : voice.t('summary.revenue', { amount: voice.money(units * price, currency) })
}

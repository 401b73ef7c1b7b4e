/** Summarizes a new sale before it is saved, with warnings. */
import { admitPerSecondOf } from '../../core/gate/admission-rate.ts'
import { maxSpreadFor, type SaleDefinition, type SaleWindow, stockOfVariants } from '../../core/sale/sale.ts'
import { deliveryCostsText } from '../../templates/messages/delivery-costs.ts'
import { countryNames } from '../../templates/messages/language.ts'
import type { Arguments } from '../../templates/messages/text.ts'
import { joinSentences, type Key, type Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { fairness } from './fairness.tsx'

type FarSpeaker = Translator & { farMoment(ms: number): string }

/** `label` names what `text` is about. */
export type SummaryLine = { label: Key; text: string }

/** Returns the summary of a sale. `now` is epoch ms. */
export function summaryLines(voice: FarSpeaker, sale: SaleDefinition, now: number): SummaryLine[] {
  const { earlyAccess: early } = sale
  const lines: [Key, string | undefined][] = [
    ['summary.what', offerText(voice, sale)],
    ['summary.when', timeText(voice, sale)],
    ['summary.start', startText(voice, sale, now)],
    ['summary.validity', validityText(voice, sale)],
    ['member.title', early && voice.t('member.level', { minutes: early.minutes, level: early.minLevel })],
    ['summary.limit', limitText(voice, sale)],
    ['summary.pay', payText(voice, sale)],
    ['summary.delivery', deliveryText(voice, sale)],
    ...fairness.map(({ label, summary }): [Key, string | undefined] => [label, summary?.(voice, sale)]),
    ['summary.check', voice.t(`summary.challenge.${sale.challenge}`)],
    ['summary.money', moneyText(voice, sale)],
  ]
  return lines.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]))
}

/** The windows of a sale; one that lists none has a single one of its own. */
function windowsOf({ windows, startsAt, endsAt, stock, packets }: SaleDefinition): SaleWindow[] {
  if (windows.length > 0) return windows
  return [{ startsAt, endsAt, stock, ...(packets && { totalAmount: packets.totalAmount }) }]
}

/** The units of all windows; undefined for an unlimited stock. */
function totalUnits(sale: SaleDefinition): number | undefined {
  return sale.stock === -1 ? undefined : stockOfVariants(windowsOf(sale))
}

/** When the sale first starts, epoch ms. */
export function firstStart(sale: SaleDefinition): number {
  return windowsOf(sale)[0]?.startsAt ?? sale.startsAt
}

function offerText(voice: Translator, sale: SaleDefinition): string {
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

function startText(voice: Translator, sale: SaleDefinition, now: number): string {
  const start = firstStart(sale)
  return start <= now
    ? voice.t('summary.atOnce')
    : voice.t('summary.automatic', { start: saleMoment(voice, sale, start) })
}

function limitText(voice: Translator, sale: SaleDefinition): string {
  const { kind, limitPerShopper: limit, maxPerOrder: order, minLevel } = sale
  const units = kind === 'red-packet' ? voice.t('summary.onePacket') : voice.t('summary.perPerson', { limit, order })
  return minLevel === 0 ? units : joinSentences(voice, [units, voice.t('summary.members', { n: minLevel })])
}

function payText(
  voice: Translator,
  { kind, price, paymentWindowSeconds: seconds }: SaleDefinition,
): string | undefined {
  if (kind !== 'goods') return undefined
  if (price === 0) return voice.t('summary.payNothing')
  return seconds % 60 === 0
    ? voice.t('summary.payMinutes', { n: seconds / 60 })
    : voice.t('summary.paySeconds', { n: seconds })
}

function deliveryText(voice: Translator, { kind, delivery, currency }: SaleDefinition): string | undefined {
  if (kind !== 'goods') return undefined
  const codes = delivery?.countries ?? []
  if (codes.length === 0) return voice.t('summary.noAddress')
  const nameOf = countryNames(voice.locale())
  const list = new Intl.ListFormat(voice.locale(), { type: 'disjunction' })
  const address = voice.t('summary.address', { countries: list.format(codes.map(nameOf)) })
  if (delivery?.costs === undefined) return address
  const money = (amount: number) => voice.money(amount, currency)
  const costs = deliveryCostsText(delivery.costs, voice.locale(), { money, free: voice.t('summary.free') })
  return joinSentences(voice, [address, voice.t('summary.costs', { costs })])
}

function validityText(voice: Translator, sale: SaleDefinition): string | undefined {
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
function moneyText(voice: Translator, sale: SaleDefinition): string | undefined {
  const { kind, price, currency } = sale
  if (kind === 'red-packet') {
    const total = windowsOf(sale).reduce((sum, { totalAmount = 0 }) => sum + totalAmount, 0)
    return voice.t('summary.payout', { amount: voice.money(total, currency) })
  }
  if (kind === 'coupon' || price === 0) return voice.t('summary.noMoney')
  const units = totalUnits(sale)
  return units === undefined ? undefined : voice.t('summary.revenue', { amount: voice.money(units * price, currency) })
}

/** A warning about a valid sale. */
type Warning = { key: Key; args?: Arguments }

/** The sale, and the time, epoch ms. */
type Check = (sale: SaleDefinition, now: number) => Warning | undefined

/** Too little for publishing and starting a sale with care. */
const soonMs = 5 * 60_000

/** The path of the demo pictures. */
const samplePath = '/assets/pictures/'

const startsSoon: Check = (sale, now) => {
  const leftMs = firstStart(sale) - now
  if (leftMs <= 0) return { key: 'warn.past' }
  return leftMs < soonMs ? { key: 'warn.soon' } : undefined
}

/** Warns when the clicks that the gate admits in a window cannot order its units, at `maxPerOrder` each. */
const tooSlow: Check = (sale) => {
  const rate = admitPerSecondOf(sale)
  for (const { startsAt, endsAt, stock } of windowsOf(sale)) {
    const most = Math.floor(((endsAt - startsAt) / 1000) * rate) * sale.maxPerOrder
    if (most < stock) return { key: 'warn.tooSlow', args: { rate, most, stock } }
  }
  return undefined
}

/** Refused when it is saved; the field says how many seconds are possible. */
const turnsTooLong: Check = (sale) => {
  const seconds = maxSpreadFor(sale)
  return sale.spreadSeconds > seconds ? { key: 'warn.turnsTooLong', args: { seconds } } : undefined
}

const noCountries: Check = ({ kind, delivery }) =>
  kind === 'goods' && (delivery?.countries ?? []).length === 0 ? { key: 'warn.noCountries' } : undefined

const free: Check = ({ kind, price }) => (kind === 'goods' && price === 0 ? { key: 'warn.free' } : undefined)

/** A copy of a demo sale has a demo picture. */
const samplePicture: Check = ({ pictures }) =>
  pictures.some(({ src }) => src.startsWith(samplePath)) ? { key: 'warn.sample' } : undefined

const oneTakesAll: Check = (sale) => {
  const units = totalUnits(sale)
  return units !== undefined && units > 1 && sale.limitPerShopper >= units ? { key: 'warn.oneTakesAll' } : undefined
}

const checks: readonly Check[] = [startsSoon, turnsTooLong, tooSlow, free, oneTakesAll, noCountries, samplePicture]

/** Returns the warnings, the most urgent first. `now` is epoch ms. */
export function warningsOf(sale: SaleDefinition, now: number): Warning[] {
  return checks.flatMap((check) => check(sale, now) ?? [])
}

/** What a sale offers, in words: how much of what for how much, and the rows of its settings. */
import { wholeOf } from '../../../core/packets.ts'
import type { Sale } from '../../../core/sale.ts'
import { type Speaker, sayFor } from './kind-words.ts'

/** What a sale may ask of a shopper's browser, in our words. */
export const challengeKeys = { off: 'gate.challengeOff', pow: 'gate.challengePow' } as const

type Offer = Pick<Sale, 'kind' | 'stock' | 'currency' | 'price' | 'packets' | 'windows'>

/** So many units, packets or coupons: of packets, those of all waves. */
export function stockText(voice: Speaker, sale: Offer): string {
  if (sale.stock === -1) return voice.t('live.unlimited')
  const n = sale.kind === 'red-packet' ? wholeOf(sale).count : sale.stock
  return sayFor(voice, sale.kind)('console.stockOf', { n })
}

/** The price of goods; what all packets hold together; else that nothing is to be paid. */
export function moneyText(voice: Speaker, sale: Offer): string {
  if (sale.kind === 'coupon') return voice.t('kind.free')
  const amount = sale.kind === 'red-packet' ? wholeOf(sale).totalAmount : sale.price
  return voice.money(amount, sale.currency)
}

/** Names and values. */
export function settingsOf(voice: Speaker, sale: Sale): [string, string][] {
  return [
    [voice.t('console.kind'), voice.t(`kind.${sale.kind}`)],
    [voice.t('console.starts'), voice.moment(sale.startsAt)],
    [voice.t('console.ends'), voice.moment(sale.endsAt)],
    ...termsOf(voice, sale),
    [voice.t('gate.ratio'), sale.admissionRatio.toLocaleString(voice.locale())],
    [voice.t('gate.level'), String(sale.minLevel)],
    [voice.t('gate.challenge'), voice.t(challengeKeys[sale.challenge])],
    [voice.t('console.epoch'), String(sale.epoch)],
    [voice.t('console.version'), String(sale.version)],
  ]
}

function termsOf(voice: Speaker, sale: Sale): [string, string][] {
  if (sale.kind === 'red-packet') {
    return [
      [voice.t('console.packets'), wholeOf(sale).count.toLocaleString(voice.locale())],
      [voice.t('console.total'), moneyText(voice, sale)],
    ]
  }
  const { validFrom, validUntil } = sale.coupons ?? {}
  return [
    [voice.t('console.price'), moneyText(voice, sale)],
    [sayFor(voice, sale.kind)('console.limit'), String(sale.limitPerShopper)],
    ...(validFrom === undefined ? [] : [named(voice.t('console.validFrom'), voice.moment(validFrom))]),
    ...(validUntil === undefined ? [] : [named(voice.t('console.validUntil'), voice.moment(validUntil))]),
  ]
}

function named(name: string, value: string): [string, string] {
  return [name, value]
}

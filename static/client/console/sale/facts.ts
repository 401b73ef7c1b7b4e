/** What a sale offers, in words: how much of what for how much. */
import { wholeOf } from '../../../../core/packets/packets.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import { type Speaker, sayFor } from '../lib/kind-words.ts'

type Offer = Pick<Sale, 'kind' | 'stock' | 'currency' | 'price' | 'packets' | 'windows'>

/** The number of units, coupons, or packets of all waves. */
export function stockText(voice: Speaker, sale: Offer): string {
  if (sale.stock === -1) return voice.t('live.unlimited')
  const n = sale.kind === 'red-packet' ? wholeOf(sale).count : sale.stock
  return sayFor(voice, sale.kind)('console.stockOf', { n })
}

/** The price of goods; what all packets hold together; else that nothing is to be paid. */
export function moneyText(voice: Speaker, sale: Offer): string {
  if (sale.kind === 'coupon') return voice.t('kind.free')
  if (sale.kind === 'red-packet') return voice.money(wholeOf(sale).totalAmount, sale.currency)
  return voice.money(sale.price, sale.currency)
}

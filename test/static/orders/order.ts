/** Orders in the shop's JSON, for tests of the order page. */
import type { OrderView } from '../../../core/api/shop.ts'
import { readOrder } from '../../../web/wire.ts'

/** Two mugs for 39.80, reserved at 1,000, written a second later, to be paid until 901,000 (epoch ms). */
export const orderJson = {
  orderId: `mug-${'a'.repeat(26)}`,
  saleId: 'mug',
  quantity: 2,
  amount: 3980,
  currency: 'EUR',
  status: 'awaiting-payment',
  reservedAt: 1000,
  payBy: 901_000,
  history: [
    { at: 1000, what: 'reserved', status: 'reserved' },
    { at: 2000, what: 'written', status: 'awaiting-payment' },
  ],
}

/** Two coupons of the same, valid until 901,000. */
export const couponOrderJson = {
  ...orderJson,
  amount: 0,
  status: 'fulfilled',
  coupons: ['0123456789ABCDEFGHJK', 'ZYXWVTSRQPNMKJHGFEDC'],
  validUntil: 901_000,
}

export function orderWith(change: Record<string, unknown> = {}): OrderView {
  const order = readOrder({ ...orderJson, ...change })
  if (order === undefined) throw new Error('the order can be read')
  return order
}

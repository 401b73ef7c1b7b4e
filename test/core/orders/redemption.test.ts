/** How large the redemptions of one order can become. */
import { expect, it } from 'vitest'
import { maxQuantity } from '../../../core/buy/limits.ts'
import { parseIdempotencyKey } from '../../../core/ids.ts'
import type { Order } from '../../../core/orders/order.ts'
import { advance, type LifeEvent } from '../../../core/orders/order-life.ts'
import { maxReferenceBytes, maxUndoneOfOrder, redeemedCount } from '../../../core/orders/redemption.ts'
import { orderItem, readOrderItem } from '../../../functions/table/orders/order-item.ts'
import { couponCodeOf } from '../../../proof/simulation/parts/coupons.ts'
import { itemBytes } from '../../functions/table/item-bytes.ts'
import { orderIdOf, saleIdOf, shopperNamed } from '../../redis/support.ts'

const saleId = saleIdOf('s'.repeat(40))
const start = Date.UTC(2026, 10, 20, 12, 0, 0, 123)
const shop = 's'.repeat(20)
const reference = 'é'.repeat(maxReferenceBytes / 2)

/** The largest order of coupons, with the longest names. */
const issued: Order = {
  orderId: orderIdOf(saleId, 1, 1),
  saleId,
  shopperId: shopperNamed('a'.repeat(128)),
  quantity: maxQuantity,
  amount: 0,
  currency: 'EUR',
  status: 'fulfilled',
  reservedAt: start,
  writtenAt: start,
  payBy: start,
  cancelAt: start,
  capPart: 1,
  coupons: Array.from({ length: maxQuantity }, (_, index) => couponCodeOf(index)),
  history: [
    { at: start, what: 'reserved', status: 'reserved' },
    { at: start, what: 'written', status: 'fulfilled' },
  ],
}

function longKey(n: number) {
  const key = parseIdempotencyKey(String(n).padStart(64, 'k'))
  if (key === undefined) throw new Error('that is no idempotency key')
  return key
}

/** Redeems every coupon of the order, and undoes that until it is refused. */
function redeemAndUndoAll(): Order {
  let order = issued
  let at = start
  let keys = 0
  const take = (event: LifeEvent) => {
    at += 1
    const step = advance(order, event, at)
    if (step.kind === 'moved') order = step.order
    return step
  }
  for (const code of issued.coupons ?? []) {
    for (let isStanding = false; !isStanding; ) {
      keys += 1
      const key = longKey(keys)
      const redeemed = take({ kind: 'coupon-redeemed', code, shop, key, reference })
      if (redeemed.kind !== 'moved') throw new Error(`${code} is not redeemed: ${redeemed.kind}`)
      const undone = take({ kind: 'redemption-undone', code, shop, key, undoMs: 86_400_000 })
      isStanding = undone.kind === 'refused' && undone.fault?.kind === 'undo-limit'
      if (!isStanding && undone.kind !== 'moved') throw new Error(`${code} is not undone: ${undone.kind}`)
    }
  }
  return order
}

it('an order of many coupons with the longest keys and receipts, undone as many times as allowed, fits one item (S7)', () => {
  const order = redeemAndUndoAll()
  const item = orderItem(order)
  expect(itemBytes(item)).toBeLessThan(380_000)
  expect(redeemedCount(order)).toBe(maxQuantity)
  expect(order.redemptions).toHaveLength(maxQuantity + maxUndoneOfOrder)
  expect(readOrderItem(item).redemptions).toEqual(order.redemptions)
})

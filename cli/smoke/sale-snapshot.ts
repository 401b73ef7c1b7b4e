/** Reads the sale of a smoke test from outside, as its marketer and shopper see it, for the invariants. */
import * as z from 'zod/mini'
import { controlApi } from '../../core/api/control-answers.ts'
import { shopApi } from '../../core/api/shop.ts'
import { readJson } from '../../core/lib/parse.ts'
import type { SaleSnapshot } from '../../proof/invariants/snapshot.ts'
import type { Ask, Reply } from './ask.ts'

type Asked = { kind: 'coupon' | 'goods'; saleId: string; orderId: string }

const pointer = z.looseObject({ remaining: z.number() })

/** The marketer bought its only unit. A reply that is none of the expected ones is the result in place of it. */
export async function readSale(
  ask: Ask,
  token: string,
  { kind, saleId, orderId }: Asked,
): Promise<SaleSnapshot | Reply> {
  const [liveReply, ordersReply, pageReply] = await Promise.all([
    ask(`/api/control/sales/${saleId}/live`, { token }),
    ask(`/api/orders?sale=${saleId}`, { token }),
    ask(`/sales/${saleId}/current.json`),
  ])
  const live = readJson(controlApi.getLive.answer, liveReply.text)
  const list = readJson(shopApi.listOrders.answer, ordersReply.text)
  const page = readJson(pointer, pageReply.text)
  if (!live.ok) return liveReply
  if (!list.ok) return ordersReply
  const { stock, outbox, orders: table } = live.value
  const shopperId = 'marketer'
  const orders = list.value.orders.filter(({ status }) => status !== 'reserved')
  return {
    sale: { kind, stock: 1, limitPerShopper: 1 },
    orders: orders.map(({ orderId, quantity, status, coupons }) => ({ orderId, shopperId, quantity, status, coupons })),
    answered: [{ orderId, shopperId, units: [{ quantity: 1 }] }],
    redis: { total: stock?.total ?? 0, booked: stock?.booked ?? 0, outbox: outbox ?? Number.NaN },
    table,
    shown: { left: page.ok ? page.value.remaining : undefined },
  }
}

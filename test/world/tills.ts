/** A world with a sale of coupons, and the tills that redeem them. */
import { type IdempotencyKey, type OrderId, parseIdempotencyKey } from '../../core/ids.ts'
import type { CouponCode } from '../../core/orders/coupon.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { newOrder } from '../../functions/orders/new-order.ts'
import { missThrottle, type RedeemHttpPorts, redeemApp } from '../../functions/orders/redeem.ts'
import { digestOfShopKey } from '../../functions/orders/shop-keys.ts'
import { answerTo } from '../../proof/simulation/parts/requests.ts'
import { aSale, orderIdOf, shopperIdOf } from '../redis/support.ts'
import { world } from './world.ts'

export const startOfTills = Date.UTC(2026, 10, 20, 12)
const minuteMs = 60_000
export const undoMs = 15 * minuteMs

export const keyOf = (name: string, letter = 'k') => `${name}.${letter.repeat(43)}`
/** @throws when `text` is no idempotency key */
export function keyOfRequest(text: string): IdempotencyKey {
  const key = parseIdempotencyKey(text)
  if (key === undefined) throw new Error(`${text} is no key`)
  return key
}
const shopNames = ['till-1', 'till-2', 'web'] as const

/** A call of a shop. */
type ShopCall = {
  code: string
  verb?: 'redeem' | 'undo'
  key?: string
  shopKey?: string
  body?: unknown
  address?: string
  method?: string
}

export async function openTills(changes: Partial<Sale> = {}) {
  const sale = aSale({ kind: 'coupon', price: 0, stock: -1, limitPerShopper: 1000, maxPerOrder: 1000, ...changes })
  const own = await world({ sales: [sale], now: startOfTills })
  const { table, clock, telemetry, offers, makeCoupons } = own
  const ports: RedeemHttpPorts = {
    ...own.ports,
    offers,
    undoMs,
    shopKeys: Object.fromEntries(shopNames.map((name) => [name, digestOfShopKey(keyOf(name))])),
    misses: missThrottle(() => clock.now),
    clock: () => clock.now,
    sleep: async () => {},
    log: telemetry.log,
  }

  /** Writes an order of `quantity` coupons. */
  async function issue(quantity: number): Promise<{ orderId: OrderId; codes: readonly CouponCode[] }> {
    const { saleId } = sale
    const orderId = orderIdOf(saleId, 1, 1)
    const reservation = { orderId, saleId, shopperId: shopperIdOf(1), quantity, reservedAt: clock.now }
    const order = newOrder(reservation, sale, clock.now, makeCoupons)
    const written = await table.write([{ order, messageIds: [], limit: sale.limitPerShopper, capped: false }])
    if (written.kind !== 'written') throw new Error(`the order is ${written.kind}`)
    return { orderId, codes: order.coupons ?? [] }
  }

  /** The answer to a call, as the gate forwards it. */
  async function ask(call: ShopCall, over: Partial<RedeemHttpPorts> = {}) {
    const { code, verb = 'redeem', key = 'request-1', shopKey = keyOf('till-1'), body, method = 'POST' } = call
    const answer = await answerTo(redeemApp({ ...ports, ...over }), {
      method,
      path: `/api/control/coupons/${code}/${verb}`,
      query: new URLSearchParams(),
      headers: {
        'x-shop-key': shopKey,
        'x-shop-address': call.address ?? '203.0.113.7',
        ...(key !== '' && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
  }

  return { sale, table, clock, ports, telemetry, issue, ask }
}

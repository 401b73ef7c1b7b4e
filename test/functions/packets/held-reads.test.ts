import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { newOrder } from '../../../functions/orders/new-order.ts'
import { heldReadsApp, holdMs } from '../../../functions/packets/held-reads.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { aClaim, aRain, loadRain } from '../../redis/packets/rain.ts'
import { aSale, raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { consumersOf } from '../../world/consumers.ts'
import { openSales, writtenAt } from '../../world/open-sale.ts'

const redis = useRedis()
const amounts = [10, 20]

/** A shop that holds reads: `afterMs` after a request arrives, `happens` takes place once. */
async function openHeld(sale: Sale, holds = true) {
  const shop = await openSales(redis, [sale])
  let [heldMs, happensAt] = [0, Number.POSITIVE_INFINITY]
  let happens = async (): Promise<unknown> => undefined
  const ports = {
    ...shop.ports,
    holds,
    async sleep(milliseconds: number) {
      heldMs += milliseconds
      shop.clock.now += milliseconds
      if (heldMs < happensAt) return
      happensAt = Number.POSITIVE_INFINITY
      await happens()
    },
  }
  return {
    ...shop,
    sale,
    expect(afterMs: number, what: () => Promise<unknown>) {
      ;[happensAt, happens] = [afterMs, what]
    },
    async ask(shopper: number | undefined, path: string) {
      heldMs = 0
      const who = shopper === undefined ? undefined : shopperIdOf(shopper)
      const answer = await answerTo(heldReadsApp(ports), forwardedRequest(who, 'GET', path))
      const { statusCode: status, headers, body } = answer
      return { status, heldMs, cache: headers['cache-control'], body: JSON.parse(body) }
    },
  }
}

describe('GET /api/changes', () => {
  const goods = () => aSale({ price: 250 })

  it('answers the order once it is written, with the codes in it (N9)', async () => {
    const sale = aSale({ kind: 'coupon', price: 0, currency: 'CNY' })
    const { ask, reserve, waiting, book, makeCoupons, expect: later } = await openHeld(sale)
    const orderId = await reserve(sale, 1)
    later(1500, async () => {
      const [message] = await waiting(sale.saleId)
      if (message === undefined) throw new Error('nothing waits to be written')
      const entry = { messageIds: ['m'], limit: sale.limitPerShopper, capped: true }
      const chunk = [{ ...entry, order: newOrder(message, sale, writtenAt, makeCoupons) }]
      // The codes are written first.
      while ((await book.write(chunk)).kind === 'begun');
    })
    const found = await ask(1, `/api/changes?order=${orderId}&after=1`)
    expect(found).toMatchObject({ status: 200, heldMs: 1500, cache: 'no-store', body: { status: 'fulfilled' } })
    expect(found.body.coupons).toHaveLength(1)
  })

  it('answers a payment half a second after it is booked at the latest, and at once what the page lacks (N9)', async () => {
    const { ask, write, ports, sale, expect: later } = await openHeld(goods())
    const orderId = await write(sale, 1)
    await changeOrder(ports, orderId, { kind: 'payment-started', graceMs: 1 })
    const paymentId = `${orderId}.1`
    later(900, () =>
      changeOrder(ports, orderId, { kind: 'payment-succeeded', paymentId, amount: 250, currency: 'CNY' }),
    )
    const path = `/api/changes?order=${orderId}&after=3`
    expect(await ask(1, path)).toMatchObject({ heldMs: 1000, body: { status: 'paid', payment: 'succeeded' } })
    expect(await ask(1, path)).toMatchObject({ heldMs: 0, body: { status: 'paid' } })
  })

  it('answers the order as it is when the hold is over, and at once where nothing is held', async () => {
    for (const [holds, least] of [
      [true, holdMs - 500],
      [false, 0],
    ] as const) {
      const { ask, write, sale } = await openHeld(goods(), holds)
      const orderId = await write(sale, 1)
      const { status, heldMs, body } = await ask(1, `/api/changes?order=${orderId}&after=2`)
      expect({ status, shown: body.status }).toEqual({ status: 200, shown: 'awaiting-payment' })
      expect(heldMs).toBeGreaterThanOrEqual(least)
      expect(heldMs).toBeLessThanOrEqual(holds ? holdMs : 0)
    }
  })

  it('holds nothing for a caller without the order, and names a malformed parameter (I2, S2)', async () => {
    const { ask, write, sale } = await openHeld(goods())
    const path = `/api/changes?order=${await write(sale, 1)}&after=`
    expect(await ask(2, `${path}2`)).toMatchObject({ status: 404, heldMs: 0, body: { code: 'not-found' } })
    expect(await ask(undefined, `${path}2`)).toMatchObject({ status: 401, heldMs: 0 })
    for (const [query, field] of [
      [`${path}-1`, 'after'],
      [path.replace('&after=', ''), 'after'],
      ['/api/changes?order=mug&after=2', 'order'],
    ] as const) {
      expect(await ask(1, query)).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    }
  })
})

describe('GET /api/credit', () => {
  async function openRain() {
    const sale = aRain(amounts)
    const shop = await openHeld(sale)
    await raw(redis, 'FLUSHALL')
    await loadRain(redis, sale, amounts)
    return { ...shop, path: `/api/credit?sale=${sale.saleId}` }
  }

  it('answers the wallet once the claim is credited (N9)', async () => {
    const own = await openRain()
    const { ask, path, sale, expect: later } = own
    const claimed = await reserve(redis, aClaim(sale, 1))
    if (claimed.kind !== 'reserved') throw new Error('the packet is taken')
    later(1000, () => consumersOf(own).write([claimed.message]))
    const balances = [{ amount: 10, currency: 'CNY' }]
    expect(await ask(1, path)).toMatchObject({ status: 200, heldMs: 1000, body: { balances } })
    expect(await ask(1, path)).toMatchObject({ heldMs: 0, cache: 'no-store', body: { balances } })
  })

  it('answers at once a shopper who waits for nothing', async () => {
    const { ask, path } = await openRain()
    expect(await ask(2, path)).toMatchObject({ status: 200, heldMs: 0, body: { balances: [] } })
    await raw(redis, 'FLUSHALL')
    expect(await ask(2, `${path}-x`)).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(await ask(2, '/api/credit?sale=A')).toMatchObject({ status: 400, body: { field: 'sale' } })
  })
})

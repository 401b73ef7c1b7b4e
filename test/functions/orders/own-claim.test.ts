import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { ordersApp } from '../../../functions/orders/orders-http.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { release } from '../../../redis/orders/release.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { aClaim, aRain, loadRain } from '../../redis/packets/rain.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { consumersOf } from '../../world/consumers.ts'
import { orderMessageOf } from '../../world/messages.ts'
import { openSales } from '../../world/open-sale.ts'

const redis = useRedis()
const amounts = [10, 20]

async function openRain(change: Partial<Sale> = {}) {
  const sale = aRain(amounts, change)
  const own = await openSales(redis, [sale])
  await raw(redis, 'FLUSHALL')
  await loadRain(redis, sale, amounts)
  const ask = async (shopper: number, query = `sale=${sale.saleId}`) => {
    const request = forwardedRequest(shopperIdOf(shopper), 'GET', `/api/packets?${query}`)
    const answer = await answerTo(ordersApp(own.ports), request)
    return { status: answer.statusCode, body: JSON.parse(answer.body) }
  }
  return { ...own, sale, ask }
}

const none = { status: 200, body: { packet: null } }

describe('GET /api/packets', () => {
  it('shows the claim of the caller alone, although it is not credited (I2)', async () => {
    const { sale, ask } = await openRain()
    expect(await ask(1)).toEqual(none)
    await reserve(redis, aClaim(sale, 1))
    expect(await ask(1)).toEqual({
      status: 200,
      body: { packet: { packetId: `${sale.saleId}-p0`, amount: 10, currency: 'CNY', claimedAt: 5_000 } },
    })
    expect(await ask(2)).toEqual(none)
    await release(redis, sale.saleId, [aClaim(sale, 1)])
    expect(await ask(1), 'its order was rejected').toEqual(none)
  })

  it('is sure of what is credited while the stock is lost or frozen, and of nothing else (I2)', async () => {
    const own = await openRain()
    const { sale, ask } = own
    await freeze(redis, sale.saleId)
    expect(await ask(1)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    await raw(redis, 'FLUSHALL')
    const { body } = orderMessageOf({ sale, shopper: 3, packet: { number: 1, amount: 20 } })
    await consumersOf(own).write([JSON.parse(body)])
    const packet = { packetId: `${sale.saleId}-p1`, amount: 20, currency: 'CNY', claimedAt: 5_000 }
    expect(await ask(3)).toEqual({ status: 200, body: { packet } })
    expect(await ask(1)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })

  it('is sure again once the sale is archived, because every claim is credited by then', async () => {
    const { ask } = await openRain({ archivedAt: 5_500 })
    await raw(redis, 'FLUSHALL')
    expect(await ask(1)).toEqual(none)
  })

  it('is sure of a sale that was never started', async () => {
    const { ask } = await openRain({ epoch: 0, flag: 'off', startToken: null })
    await raw(redis, 'FLUSHALL')
    expect(await ask(1)).toEqual(none)
  })

  it('refuses what names no sale', async () => {
    const { ask } = await openRain()
    expect(await ask(1, 'sale=unknown-sale')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    for (const query of ['', 'sale=No%20Sale']) {
      expect(await ask(1, query)).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'sale' } })
    }
  })
})

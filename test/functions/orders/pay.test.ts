/** What the payment provider is told about an order when its shopper starts to pay. */
import { describe, expect, it } from 'vitest'
import { changeOrder } from '../../../functions/orders/change-order.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSale } from '../../world/open-sale.ts'

const redis = useRedis()

const variants = [
  { id: 'bm', name: 'Black / M', stock: 5 },
  { id: 'ws', name: 'White / S', stock: 5 },
]

describe('the product on the page of the payment provider', () => {
  it('is title and units, and not the number of the order', async () => {
    const { ports, provider, write } = await openSale(redis, { title: 'Copper kettle' })
    await payOrder(ports, shopperIdOf(1), await write(1))
    expect(provider.started).toMatchObject([{ product: '1 × Copper kettle' }])
  })

  it('has the variants of the order, by name', async () => {
    const { ports, provider, write } = await openSale(redis, {
      ...{ title: 'Linen shirt', variants, stock: 10, limitPerShopper: 3, maxPerOrder: 3 },
    })
    await payOrder(ports, shopperIdOf(1), await write(1, 1, { basket: { ws: 1, bm: 2 } }))
    expect(provider.started).toMatchObject([{ product: 'Linen shirt: 2 × Black / M, 1 × White / S' }])
  })

  it('is the same for every repeat of an attempt, although the marketer renames the sale (I5)', async () => {
    const { ports, provider, sale, write } = await openSale(redis, { title: 'Copper kettle' })
    const orderId = await write(1)
    const renamed = { of: () => Promise.resolve({ ...sale, title: 'Copper kettle, 2 l' }) }
    await payOrder(ports, shopperIdOf(1), orderId)
    await payOrder({ ...ports, offers: renamed }, shopperIdOf(1), orderId)
    const [first, again] = provider.started
    expect(first?.product).toBe('1 × Copper kettle')
    expect(again).toEqual(first)
  })

  it('is the number of the order in an attempt that an earlier version began', async () => {
    const { ports, provider, write } = await openSale(redis)
    const orderId = await write(1)
    await changeOrder(ports, orderId, { kind: 'payment-started', graceMs: 120_000 })
    await payOrder(ports, shopperIdOf(1), orderId)
    expect(provider.started).toMatchObject([{ product: orderId }])
  })
})

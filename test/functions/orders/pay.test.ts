/** Checks what the payment provider receives about an order when its shopper starts to pay, and when. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { Variant } from '../../../core/sale/variants.ts'
import { PaymentProviderBusy } from '../../../functions/lib/shop/payment-provider.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { orderChangesApp } from '../../../functions/orders/order-changes-http.ts'
import { payOrder } from '../../../functions/orders/pay.ts'
import { putDelivery } from '../../../functions/table/people/deliveries.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { answerTo, forwardedRequest } from '../../../proof/simulation/parts/requests.ts'
import { paymentQueueKey } from '../../../redis/keys.ts'
import { queuePaymentPage } from '../../../redis/orders/payment-queue.ts'
import { raw, shopperIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSale, writtenAt } from '../../world/open-sale.ts'

const redis = useRedis()

const variants: [Variant, Variant] = [
  { id: 'bm', name: 'Black / M', stock: 5 },
  { id: 'ws', name: 'White / S', stock: 5 },
]

describe('the product on the page of the payment provider', () => {
  it('is title and units, and not the number of the order', async () => {
    const { ports, provider, write } = await openSale(redis, { title: 'Copper kettle' })
    await payOrder(ports, shopperIdOf(1), await write(1))
    expect(provider.started).toMatchObject([{ product: '1 × Copper kettle' }])
  })

  it('has the variant of the order, by name', async () => {
    const { ports, provider, write } = await openSale(redis, {
      ...{ title: 'Linen shirt', variants, stock: 10, limitPerShopper: 3, maxPerOrder: 3 },
    })
    await payOrder(ports, shopperIdOf(1), await write(1, 1, { quantity: 3, variant: 'ws' }))
    expect(provider.started).toMatchObject([{ product: 'Linen shirt: 3 × White / S' }])
  })

  it('is in the language of the page, as far as the sale has it, and so is the page of the provider', async () => {
    const [black, white] = [{ ...variants[0], names: { de: 'Schwarz / M' } }, variants[1]]
    const { ports, provider, write } = await openSale(redis, {
      ...{ title: 'Linen shirt', translations: { de: { title: 'Leinenhemd' } }, stock: 10 },
      ...{ variants: [black, white], limitPerShopper: 3, maxPerOrder: 3 },
    })
    const orderId = await write(1, 1, { quantity: 2, variant: 'bm' })
    await payOrder(ports, shopperIdOf(1), orderId, 'de')
    // A repeat from a page in another language is the same attempt.
    await payOrder(ports, shopperIdOf(1), orderId, 'fr')
    const product = 'Leinenhemd: 2 × Schwarz / M'
    expect(provider.started).toMatchObject([
      { product, language: 'de' },
      { product, language: 'de' },
    ])
  })

  it('is the same for every repeat of an attempt, although the marketer renames the sale (I5)', async () => {
    const { ports, provider, sale, write } = await openSale(redis, { title: 'Copper kettle' })
    const orderId = await write(1)
    const renamed = { find: () => Promise.resolve({ ...sale, title: 'Copper kettle, 2 l' }) }
    await payOrder(ports, shopperIdOf(1), orderId)
    await payOrder({ ...ports, offers: renamed }, shopperIdOf(1), orderId)
    const [first, again] = provider.started
    expect(first?.product).toBe('1 × Copper kettle')
    expect(again).toEqual(first)
  })

  it('is the id of the order in an attempt that has no product', async () => {
    const { ports, provider, write } = await openSale(redis)
    const orderId = await write(1)
    await changeOrder(ports, orderId, { kind: 'payment-started', graceMs: 120_000 })
    await payOrder(ports, shopperIdOf(1), orderId)
    expect(provider.started).toMatchObject([{ product: orderId }])
  })
})

describe('the cost of delivery', () => {
  const delivery = { countries: ['DE', 'CH', 'AT'], costs: { DE: 490, CH: 1200, AT: 490 }, freeAbove: 900 }
  const addressIn = (postalCountry: string) => ({
    ...{ name: 'Ann', addressLines: ['Torstraße 1'], postalCountry, phone: '+493080615040' },
  })

  async function orderTo(country: string) {
    const shop = await openSale(redis, { price: 300, delivery, limitPerShopper: 3, maxPerOrder: 3 })
    const orderId = await shop.write(1, 1, { quantity: 1, amount: 300 })
    await putDelivery(shop.ports, orderId, addressIn(country), Date.UTC(2100))
    return { ...shop, orderId, pay: () => payOrder(shop.ports, shopperIdOf(1), orderId) }
  }

  it('is part of the charge and of the order, once, also after repeated requests (I5)', async () => {
    const { pay, find, orderId, provider } = await orderTo('CH')
    await pay()
    await pay()
    expect(provider.started.map(({ amount }) => amount)).toEqual([1500, 1500])
    expect(await find(orderId)).toMatchObject({ amount: 1500, deliveryCost: 1200 })
  })

  it('is that of the country at the next attempt, after one that failed', async () => {
    const { pay, find, orderId, ports, provider } = await orderTo('CH')
    await pay()
    await changeOrder(ports, orderId, { kind: 'payment-failed', paymentId: `${orderId}.1` })
    await putDelivery(ports, orderId, addressIn('DE'), Date.UTC(2100))
    await pay()
    expect(provider.started.map(({ amount }) => amount)).toEqual([1500, 790])
    expect(await find(orderId)).toMatchObject({ amount: 790, deliveryCost: 490 })
  })

  it('goes back with the goods when the order is refunded: Directive 2011/83/EU Art. 13(1)', async () => {
    const { pay, ports, orderId, find } = await orderTo('CH')
    await pay()
    const money = { paymentId: `${orderId}.1`, amount: 1500, currency: 'CNY' }
    await changeOrder(ports, orderId, { kind: 'payment-succeeded', ...money })
    const back = await changeOrder(ports, orderId, { kind: 'refunded-by-marketer' })
    expect(back).toMatchObject({ kind: 'moved', refund: { amount: 1500 } })
    expect(await find(orderId)).toMatchObject({ status: 'refund-due', refunds: [{ amount: 1500 }] })
  })

  it('is not charged for a country that the address has left at that moment', async () => {
    const shop = await orderTo('CH')
    const table = onWireAt(shop.ports.table, /^transact /, async (send) => {
      await putDelivery(shop.ports, shop.orderId, addressIn('DE'), Date.UTC(2100))
      return send()
    })
    expect(await payOrder({ ...shop.ports, table }, shopperIdOf(1), shop.orderId)).toEqual({ kind: 'no-address' })
    expect(await shop.pay()).toMatchObject({ kind: 'started' })
    expect(shop.provider.started).toMatchObject([{ amount: 790 }])
  })
})

describe('the turns of payment pages', () => {
  const perSecond = 20

  it('let 200 winners pay at once: none reads “unavailable”, none loses time to pay (O8)', async () => {
    const shop = await openSale(redis, { stock: 200 })
    const ports = { ...shop.ports, paymentPagesPerSecond: perSecond }
    const orderIds: OrderId[] = []
    for (let shopper = 1; shopper <= 200; shopper += 1) orderIds.push(await shop.write(shopper))
    const start = shop.clock.now
    const starts: number[] = []
    const waiting = orderIds.map((orderId, at) => ({ orderId, shopperId: shopperIdOf(at + 1), dueAt: start }))
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      shop.clock.now = Math.max(shop.clock.now, next.dueAt)
      const paying = await payOrder(ports, next.shopperId, next.orderId)
      if (paying.kind === 'waiting') waiting.push({ ...next, dueAt: paying.opensAt })
      else expect(paying.kind).toBe('started')
      if (paying.kind === 'started') starts.push(shop.clock.now)
    }
    expect(shop.provider.started.map(({ orderId }) => orderId)).toEqual(orderIds)
    const inSecondFrom = (from: number) => starts.filter((at) => at >= from && at < from + 1000).length
    expect(Math.max(...starts.map(inSecondFrom))).toBeLessThanOrEqual(25)
    expect(shop.clock.now - start).toBeLessThanOrEqual((200 / perSecond) * 1000)
    for (const [at, orderId] of orderIds.entries()) {
      const { payBy } = await shop.find(orderId)
      expect(payBy - (starts[at] ?? 0)).toBeGreaterThanOrEqual(shop.sale.paymentWindowSeconds * 1000 - 250)
    }
  })

  /** An order whose page waits, behind so many others that nobody pays. */
  async function queued(others = 20) {
    const shop = await openSale(redis)
    for (let other = 0; other < others; other += 1) await queuePaymentPage(redis, shop.clock.now, perSecond)
    const ports = { ...shop.ports, paymentPagesPerSecond: perSecond }
    const orderId = await shop.write(1)
    const pay = () => payOrder(ports, shopperIdOf(1), orderId)
    return { ...shop, ports, orderId, pay }
  }

  it('are kept: who asks again too early reads the same time, and takes no second turn (I5)', async () => {
    const { clock, pay, provider } = await queued()
    const opensAt = clock.now + 1000
    expect([await pay(), await pay()]).toEqual([
      { kind: 'waiting', opensAt },
      { kind: 'waiting', opensAt },
    ])
    expect(await queuePaymentPage(redis, clock.now, perSecond)).toBe(opensAt + 1000 / perSecond)
    expect(provider.started).toEqual([])
    clock.now = opensAt
    expect(await pay()).toMatchObject({ kind: 'started' })
    expect(await pay()).toMatchObject({ kind: 'started' })
  })

  it('say in the answer to the page when to ask again', async () => {
    const { ports, orderId } = await queued()
    const request = forwardedRequest(shopperIdOf(1), 'POST', `/api/orders/${orderId}/pay`, {})
    const { statusCode, headers, body } = await answerTo(orderChangesApp(ports), request)
    expect([statusCode, JSON.parse(body).code, headers['retry-after']]).toEqual([429, 'at-capacity', '1'])
  })

  it('let the time to pay stand still before the page is first opened, and never after (O8)', async () => {
    const { clock, pay, find, orderId, provider } = await queued()
    const { payBy } = await find(orderId)
    await pay()
    expect(await find(orderId)).toMatchObject({ payBy: payBy + 1000, cancelAt: payBy + 1000 })
    clock.now += 1000
    await pay()
    const { cancelAt } = await find(orderId)
    await pay()
    expect(new Set(provider.started.map(({ until }) => until))).toEqual(new Set([cancelAt]))
  })

  it('take no time to pay where the function stood still until after the turn, and leave an order that can be read (O8)', async () => {
    const { clock, gate, pay, find, orderId } = await queued()
    const { payBy } = await find(orderId)
    gate.after('payment-queue', () => {
      clock.now += 5_000
    })
    await pay()
    expect(await find(orderId)).toMatchObject({ payBy, paymentQueue: { pausedMs: 0 } })
  })

  it('let it stand still for fifteen minutes in all, however long the others are', async () => {
    const { pay, find, orderId } = await queued()
    const { payBy } = await find(orderId)
    await raw(redis, 'HSET', paymentQueueKey, 'next', String(writtenAt + 2_000_000))
    expect(await pay()).toEqual({ kind: 'waiting', opensAt: writtenAt + 2_000_000 })
    expect((await find(orderId)).payBy).toBe(payBy + 900_000)
  })

  it('are not needed where Redis does not answer: the page opens at once, and the log says so', async () => {
    const { pay, gate, telemetry } = await queued()
    gate.goDown()
    expect(await pay()).toMatchObject({ kind: 'started' })
    expect(telemetry.lines.map(({ message }) => message)).toContain(
      'payment queue unavailable; the page is opened at once',
    )
  })

  it('answer with a retry in two seconds when the provider still limits requests', async () => {
    const { clock, ports, orderId } = await queued(0)
    const start = async () => {
      throw new PaymentProviderBusy('rate limit')
    }
    const paying = await payOrder({ ...ports, provider: { ...ports.provider, start } }, shopperIdOf(1), orderId)
    expect(paying).toEqual({ kind: 'waiting', opensAt: clock.now + 2000 })
  })
})

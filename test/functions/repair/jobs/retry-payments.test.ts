import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import type { LifeEvent } from '../../../../core/orders/order-life.ts'
import { cancelUnpaid } from '../../../../functions/orders/cancel-unpaid.ts'
import { changeOrder } from '../../../../functions/orders/change-orders.ts'
import { closePaymentPages, refundAgeMs, requestRefunds } from '../../../../functions/repair/jobs/retry-payments.ts'
import { endedPages } from '../../../../functions/table/orders/due-money.ts'
import { type OrderIds, useWorld } from '../../../world/world.ts'

const rig = useWorld()
let orderIds: OrderIds<23>
beforeEach(async () => {
  await rig.open({ stock: 50 })
  orderIds = await rig.sell(23)
})

const happen = (orderId: OrderId, event: LifeEvent) => changeOrder(rig.ports, orderId, event)
const run = (deadline = rig.clock.now + 1000) => requestRefunds({ ...rig.ports, deadline })

/** Paid, then refunded by the marketer while the provider does not answer. */
async function oweMoney(orderId: OrderId): Promise<void> {
  await happen(orderId, { kind: 'payment-started', graceMs: 0 })
  await rig.pay(orderId)
  rig.provider.goDown()
  await happen(orderId, { kind: 'refunded-by-marketer' })
  rig.provider.comeUp()
}

describe('refunds that are due', () => {
  it('are requested again after a minute, until they are done (O8, I5)', async () => {
    const [orderId] = orderIds
    await oweMoney(orderId)
    rig.clock.now += refundAgeMs - 1
    expect(await run()).toBe(0)
    rig.clock.now += 1
    expect([await run(), await run()]).toEqual([1, 1])
    const paymentId = `${orderId}.1`
    const refund = { orderId, paymentId, amount: 10, currency: 'CNY' }
    expect(rig.provider.asked).toEqual([expect.objectContaining(refund), expect.objectContaining(refund)])
    await happen(orderId, { kind: 'refund-succeeded', paymentId, amount: 10, currency: 'CNY' })
    expect(await run()).toBe(0)
  })

  it('do not delay each other, and wait for the next run when there is no time left', async () => {
    for (const orderId of orderIds) await oweMoney(orderId)
    rig.clock.now += refundAgeMs
    const { refund } = rig.provider
    rig.ports.provider = {
      ...rig.ports.provider,
      refund: async (wish) => {
        if (wish.orderId === orderIds[0]) throw new Error('the provider knows no such payment')
        rig.clock.now += 40
        await refund(wish)
      },
    }
    expect(await run(rig.clock.now + 500)).toBe(19)
    expect(rig.telemetry.counted('RefundFailed')).toBe(23 + 1)
    expect(await run(rig.clock.now + 2000)).toBe(22)
  })

  it('are each tried within some minutes while the provider takes none, because each minute begins with others (O8)', async () => {
    for (const orderId of orderIds) await oweMoney(orderId)
    rig.clock.now += refundAgeMs
    const tried = new Set<string>()
    rig.ports.provider = {
      ...rig.ports.provider,
      refund: async ({ orderId }) => {
        rig.clock.now += 450
        tried.add(orderId)
        throw new Error('the balance does not suffice')
      },
    }
    expect(await run(rig.clock.now + 100)).toBe(0)
    expect(tried.size).toBeLessThan(orderIds.length)
    for (let minutes = 1; minutes < 8; minutes += 1) {
      rig.clock.now += 60_000
      await run(rig.clock.now + 100)
    }
    expect(tried.size).toBe(orderIds.length)
  })
})

describe('the page of a payment whose order ended', () => {
  const closeAgain = () => closePaymentPages({ ...rig.ports, deadline: rig.clock.now + 1000 })
  const closed = () => rig.provider.withdrawn.map(({ paymentId }) => paymentId)
  const dueIds = async () => (await endedPages(rig.table.table)).map(({ paymentId }) => paymentId)
  const startPaying = (orderId: OrderId) => happen(orderId, { kind: 'payment-started', graceMs: 0, product: 'A mug' })

  const money = { amount: 10, currency: 'CNY' }
  const paidBefore = { kind: 'payment-succeeded', ...money } as const
  const ends: [string, (orderId: OrderId) => Promise<unknown>, attempt?: number][] = [
    ['its shopper', (orderId) => happen(orderId, { kind: 'cancelled-by-shopper' })],
    ['a marketer', (orderId) => happen(orderId, { kind: 'refunded-by-marketer' })],
    ['its timer', (orderId) => cancelUnpaid(rig.ports, [orderId], rig.clock.now + 1000)],
    ['the money of an earlier attempt', (orderId) => happen(orderId, { ...paidBefore, paymentId: `${orderId}.1` }), 2],
  ]

  async function startAttempt(orderId: OrderId, attempt: number): Promise<void> {
    await startPaying(orderId)
    if (attempt === 2) {
      await happen(orderId, { kind: 'payment-failed', paymentId: `${orderId}.1` })
      await startPaying(orderId)
    } else rig.clock.now += 900_000
  }

  it.each(ends)('is closed at once: ended by %s', async (_, end, attempt = 1) => {
    const [orderId] = orderIds
    await startAttempt(orderId, attempt)
    await end(orderId)
    expect([closed(), await dueIds()]).toEqual([[`${orderId}.${attempt}`], []])
  })

  it.each(ends)('is closed also when the provider was not there: ended by %s', async (_, end, attempt = 1) => {
    const [orderId] = orderIds
    await startAttempt(orderId, attempt)
    rig.provider.goDown()
    await end(orderId)
    expect(await closeAgain()).toBe(0)
    expect(await dueIds()).toEqual([`${orderId}.${attempt}`])
    rig.provider.comeUp()
    expect([await closeAgain(), await closeAgain()]).toEqual([1, 0])
    expect(closed()).toEqual([`${orderId}.${attempt}`])
  })

  it('is left once it has expired by itself, and stays open for an order that still waits for it', async () => {
    const [orderId, other] = orderIds
    await startPaying(orderId)
    await startPaying(other)
    rig.provider.goDown()
    await happen(orderId, { kind: 'cancelled-by-shopper' })
    rig.provider.comeUp()
    rig.clock.now += 86_400_000
    expect(await closeAgain()).toBe(1)
    expect([await dueIds(), closed()]).toEqual([[], []])
  })
})

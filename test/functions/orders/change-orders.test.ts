import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import { type LifeEvent, paymentIdOf } from '../../../core/orders/order-life.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { dueRefunds } from '../../../functions/table/orders/due-money.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { gateKey } from '../../../redis/keys.ts'
import { aSale, orderIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSales, writtenAt } from '../../world/open-sale.ts'
import { changesOrders } from '../../world/wire.ts'

const redis = useRedis()

const cancel: LifeEvent = { kind: 'cancelled-by-shopper' }
const pay: LifeEvent = { kind: 'payment-started', graceMs: 120_000 }

const moneyOf = (orderId: OrderId, attempt = 1): Extract<LifeEvent, { kind: 'payment-succeeded' }> => ({
  kind: 'payment-succeeded',
  paymentId: paymentIdOf({ orderId }, attempt),
  amount: 10,
  currency: 'CNY',
})
const backOf = (orderId: OrderId, amount = 10, currency = 'CNY'): LifeEvent => ({
  kind: 'refund-succeeded',
  paymentId: paymentIdOf({ orderId }, 1),
  amount,
  currency,
})

const delivery = (eventId: string, digest = `digest of ${eventId}`) => ({ eventId, digest, receivedAt: 7_000 })

async function oneOrder() {
  const sale = aSale({ stock: 2, limitPerShopper: 1, maxPerOrder: 1 })
  const rig = await openSales(redis, [sale])
  const [orderId = orderIdOf(sale.saleId, 1, 1)] = await rig.writeEach(sale, 1)
  return { ...rig, sale, orderId }
}

describe('the page of a payment', () => {
  it('is closed when its order is cancelled, as it was opened', async () => {
    const { orderId, ports, withdrawn } = await oneOrder()
    const product = '1 × Mug'
    const started = await changeOrder(ports, orderId, { ...pay, product })
    if (started.kind !== 'moved') throw new Error(started.kind)
    const { payment, cancelAt: until, amount, currency } = started.order
    await changeOrder(ports, orderId, cancel)
    const { paymentId, startedAt } = payment ?? {}
    expect(withdrawn).toEqual([{ paymentId, orderId, amount, currency, product, startedAt, until }])
  })

  it('stays as it is when no payment is under way', async () => {
    const { orderId, ports, withdrawn } = await oneOrder()
    await changeOrder(ports, orderId, cancel)
    expect(withdrawn).toEqual([])
  })

  it('may stay open while the provider is unavailable: the order is cancelled all the same (O8)', async () => {
    const { orderId, ports, provider } = await oneOrder()
    await changeOrder(ports, orderId, pay)
    provider.goDown()
    expect(await changeOrder(ports, orderId, cancel)).toMatchObject({ order: { status: 'cancelled' } })
  })
})

describe('changing an order', () => {
  it('releases its units everywhere when it loses them, and updates the gate and the shopfront (O8, O9, G7)', async () => {
    const { sale, orderId, ports, table, restocked, refreshed, telemetry, writeEach, booked } = await oneOrder()
    await writeEach(sale, 2)
    const changed = await changeOrder(ports, orderId, cancel)
    expect(changed).toMatchObject({ kind: 'moved', order: { status: 'cancelled' } })
    expect(await booked(sale)).toEqual({ table: 1, redis: 1, first: 0 })
    expect(restocked).toEqual([{ key: gateKey(sale.saleId), stockRevision: 1 }])
    expect(refreshed).toEqual([sale.saleId])
    expect(await dueReleases(table.table, sale.saleId)).toEqual([])
    expect(telemetry.counted('OrdersCancelled')).toBe(1)
    expect(telemetry.counted('OrdersReleased')).toBe(1)
    expect(await writeEach(sale, 3), 'the next shopper can have them').toHaveLength(1)
  })

  it('keeps its units while it only begins to pay, and when it is paid (O8)', async () => {
    const { sale, orderId, ports, table, refreshed, telemetry, booked } = await oneOrder()
    expect(await changeOrder(ports, orderId, pay)).toMatchObject({ kind: 'moved' })
    expect(await changeOrder(ports, orderId, moneyOf(orderId))).toMatchObject({ order: { status: 'paid' } })
    expect(await booked(sale)).toEqual({ table: 1, redis: 1, first: 1 })
    expect(await dueReleases(table.table, sale.saleId)).toEqual([])
    expect(refreshed).toEqual([])
    await changeOrder(ports, orderId, moneyOf(orderId, 2))
    expect(telemetry.counted('OrdersPaid'), 'the second money goes back').toBe(1)
  })

  it('reads and decides again when another change was faster (O8)', async () => {
    const { orderId, ports, table, find } = await oneOrder()
    let isFirst = true
    ports.table = onWireAt(table.table, 'batch get ORDERS', async (send) => {
      const order = await send()
      if (isFirst) {
        isFirst = false
        await changeOrder({ ...ports, table: table.table }, orderId, moneyOf(orderId))
      }
      return order
    })
    expect(await changeOrder(ports, orderId, cancel)).toMatchObject({ kind: 'refused', order: { status: 'paid' } })
    expect((await find(orderId)).history.map(({ what }) => what)).toEqual(['reserved', 'written', 'payment-succeeded'])
  })

  it('waits longer each time while the table is busy, and goes through (I6)', async () => {
    const { orderId, ports, table, pauses } = await oneOrder()
    table.beBusy(4)
    expect(await changeOrder(ports, orderId, cancel)).toMatchObject({ kind: 'moved' })
    expect(pauses).toHaveLength(4)
    expect(pauses.every((pause, index) => pause <= 10 * 2 ** index)).toBe(true)
  })

  it('gives up in time for its caller to answer, with nothing written (I6)', async () => {
    const { orderId, ports, table, clock, find } = await oneOrder()
    table.beBusy(Number.POSITIVE_INFINITY)
    await expect(changeOrder(ports, orderId, cancel)).rejects.toMatchObject({ name: 'TableUnavailable' })
    expect(clock.now - writtenAt).toBeGreaterThanOrEqual(5_000)
    expect(clock.now - writtenAt).toBeLessThan(5_500)
    table.beBusy(0)
    expect((await find(orderId)).status).toBe('awaiting-payment')
  })

  it.each(['stock', 'gate'] as const)(
    'is done once the table is written: units that could not be published to %s stay due (O9)',
    async (unavailable) => {
      const { sale, orderId, ports, table, telemetry, ...rig } = await oneOrder()
      const lights = { stock: rig.stock, gate: rig.gate }
      lights[unavailable].goDown()
      expect(await changeOrder(ports, orderId, cancel)).toMatchObject({ kind: 'moved' })
      expect(await dueReleases(table.table, sale.saleId)).toMatchObject([{ orderId }])
      expect(telemetry.counted('ReleaseFailed')).toBe(1)
    },
  )
})

describe('money to be refunded', () => {
  const late = async () => {
    const rig = await oneOrder()
    await changeOrder(rig.ports, rig.orderId, cancel)
    return rig
  }

  it('is removed in the same transaction that counts its message, so that no crash comes between (I5)', async () => {
    const { orderId, ports, table } = await late()
    await changeOrder(ports, orderId, moneyOf(orderId))
    const event = delivery('event-2')
    const cut = onWireAt(table.table, changesOrders, () => Promise.reject(new Error('cut off')))
    await expect(changeOrder({ ...ports, table: cut }, orderId, backOf(orderId), event)).rejects.toThrow()
    expect(await dueRefunds(table.table)).toHaveLength(1)
    const before = table.counted.transactions
    expect(await changeOrder(ports, orderId, backOf(orderId), event)).toMatchObject({ kind: 'moved' })
    expect([table.counted.transactions - before, await dueRefunds(table.table)]).toEqual([1, []])
    expect(await changeOrder(ports, orderId, backOf(orderId), event)).toEqual({ kind: 'repeat' })
  })

  it.each(['booked', 'sent back', 'of no order'])(
    'is reported when a payment whose money was %s is confirmed with another amount',
    async (how) => {
      const { sale, orderId: known, ports, table, telemetry } = await oneOrder()
      const orderId = how === 'of no order' ? orderIdOf(sale.saleId, 9, 9) : known
      const money = { ...moneyOf(orderId), amount: how === 'sent back' ? 4 : 10 }
      await changeOrder(ports, orderId, money, delivery('event-1'))
      await changeOrder(ports, orderId, money, delivery('event-2'))
      expect(telemetry.counted('MoneyContradicted'), 'a repeat is not a contradiction').toBe(0)
      const due = await dueRefunds(table.table)
      await changeOrder(ports, orderId, { ...money, amount: 12 }, delivery('event-3'))
      expect(telemetry.counted('MoneyContradicted')).toBe(1)
      expect(telemetry.lines.at(-1)).toMatchObject({
        level: 'error',
        facts: { orderId, paymentId: `${orderId}.1`, counted: `${money.amount} CNY`, reported: '12 CNY' },
      })
      expect(await dueRefunds(table.table)).toEqual(due)
    },
  )

  it('that belongs to no order is not counted before it is due', async () => {
    const { sale, ports, table } = await oneOrder()
    const unknown = orderIdOf(sale.saleId, 9, 9)
    const event = delivery('event-1')
    const succeedAgain = table.failAt('REFUND#')
    await expect(changeOrder(ports, unknown, moneyOf(unknown), event)).rejects.toThrow('REFUND#')
    succeedAgain()
    expect(await changeOrder(ports, unknown, moneyOf(unknown), event)).toEqual({ kind: 'no-order' })
    expect(await dueRefunds(table.table)).toHaveLength(1)
  })
})

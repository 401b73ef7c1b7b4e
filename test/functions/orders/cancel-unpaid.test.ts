import { describe, expect, it } from 'vitest'
import { paymentIdOf } from '../../../core/orders/order-life.ts'
import { cancelUnpaid } from '../../../functions/orders/cancel-unpaid.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { maxChanges } from '../../../functions/table/orders/change-orders.ts'
import { dueReleases } from '../../../functions/table/orders/releases.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale, orderIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { openSales, writtenAt } from '../../world/open-sale.ts'
import { changesOrders, orderIdsIn } from '../../world/wire.ts'

const redis = useRedis()

const windowOver = writtenAt + 900_000
const budgetMs = 7_000

/** `count` orders of one sale whose time to pay is over. */
async function unpaid(count: number) {
  const sale = aSale({ stock: 200 })
  const rig = await openSales(redis, [sale])
  const ids = await rig.writeEach(sale, ...range(count))
  rig.clock.now = windowOver
  const run = (orderIds = ids, leftMs = budgetMs) => cancelUnpaid(rig.ports, orderIds, rig.clock.now + leftMs)
  return { ...rig, sale, ids, run }
}

describe('cancelling unpaid orders', () => {
  it('cancels many in few transactions and releases their units with one call per sale (O8, O9)', async () => {
    const sales = [aSale({ stock: 100 }), aSale({ stock: 100 })]
    const { ports, table, clock, restocked, refreshed, telemetry, writeEach, stock } = await openSales(redis, sales)
    const ids = (await Promise.all(sales.map((sale) => writeEach(sale, ...range(60))))).flat()
    clock.now = windowOver
    const releases: number[] = []
    stock.before('release', (command) => releases.push(JSON.parse(String(command.at(-1))).length))
    const transactions: (readonly string[])[] = []
    ports.table = onWireAt(ports.table, changesOrders, (send, command) => {
      transactions.push(orderIdsIn(command))
      return send()
    })
    const done = await cancelUnpaid(ports, ids, clock.now + budgetMs)
    expect(done).toEqual({ cancelled: 120, later: [], undecided: [] })
    expect(transactions.length).toBeLessThanOrEqual(2 * Math.ceil(60 / maxChanges) + 1)
    for (const orderIds of transactions) {
      expect(orderIds.length).toBeLessThanOrEqual(maxChanges)
      expect(new Set(orderIds.map((id) => id.replace(/-[^-]*$/, ''))).size).toBe(1)
    }
    expect(transactions.flat().toSorted()).toEqual(ids.toSorted())
    expect(releases).toEqual([60, 60])
    expect(restocked).toHaveLength(2)
    expect(refreshed).toEqual(sales.map(({ saleId }) => saleId))
    for (const { saleId } of sales) {
      expect(await table.sold(saleId)).toBe(0)
      expect((await readStock(redis, saleId))?.booked).toBe(0)
      expect(await dueReleases(table.table, saleId)).toEqual([])
    }
    expect(telemetry.counted('OrdersCancelled')).toBe(120)
  })

  it('skips orders that are paid, cancelled or missing, and returns those with time left (O8)', async () => {
    const sale = aSale({ stock: 10 })
    const { ports, clock, writeEach, find } = await openSales(redis, [sale])
    const [paid, cancelled, paying, unpaid] = await writeEach(sale, 1, 2, 3, 4)
    const paymentId = paymentIdOf({ orderId: paid }, 1)
    await changeOrder(ports, paid, { kind: 'payment-succeeded', paymentId, amount: 10, currency: 'CNY' })
    await changeOrder(ports, cancelled, { kind: 'cancelled-by-shopper' })
    await changeOrder(ports, paying, { kind: 'payment-started', graceMs: 120_000 })
    clock.now = windowOver
    const missing = orderIdOf(sale.saleId, 9, 9)
    const ids = [paid, cancelled, paying, unpaid, missing, unpaid]
    expect(await cancelUnpaid(ports, ids, clock.now + budgetMs)).toEqual({
      cancelled: 1,
      later: [{ orderId: paying, at: windowOver + 120_000 }],
      undecided: [],
    })
    expect((await find(paid)).status).toBe('paid')
    expect(await find(unpaid)).toMatchObject({ status: 'cancelled', reason: 'unpaid' })
    clock.now += 120_000
    expect((await cancelUnpaid(ports, [paying], clock.now + budgetMs)).cancelled).toBe(1)
  })

  it('decides again when a payment is faster, and still cancels the other orders (O8)', async () => {
    const { sale, ports, find, ids, run } = await unpaid(20)
    const [lucky] = ids
    if (lucky === undefined) throw new Error('twenty orders were to be written')
    let isFirst = true
    ports.table = onWireAt(ports.table, 'batch get ORDERS', async (send) => {
      const orders = await send()
      if (isFirst) {
        isFirst = false
        const paymentId = paymentIdOf({ orderId: lucky }, 1)
        await changeOrder(ports, lucky, { kind: 'payment-succeeded', paymentId, amount: 10, currency: 'CNY' })
      }
      return orders
    })
    expect((await run()).cancelled).toBe(19)
    expect((await find(lucky)).status).toBe('paid')
    expect((await readStock(redis, sale.saleId))?.booked).toBe(1)
  })

  it('waits while the table is busy, and leaves the rest undecided at its deadline (I6)', async () => {
    const { table, clock, pauses, find, ids, run } = await unpaid(2)
    table.beBusy(3)
    expect((await run(ids.slice(0, 1))).cancelled).toBe(1)
    expect(pauses).toHaveLength(3)
    table.beBusy(Number.POSITIVE_INFINITY)
    const startedAt = clock.now
    const { undecided } = await run(ids.slice(1))
    expect(undecided).toEqual(ids.slice(1))
    expect(clock.now - startedAt).toBeLessThan(budgetMs + 500)
    for (const orderId of undecided) expect((await find(orderId)).status).toBe('awaiting-payment')
  })

  it('begins no transaction after its deadline, and returns the orders it did not reach (I6)', async () => {
    const { ports, clock, ids, run } = await unpaid(96)
    ports.table = onWireAt(ports.table, changesOrders, (send) => {
      clock.now += 3_000
      return send()
    })
    const { cancelled, undecided } = await run(ids, 5_000)
    expect(cancelled).toBe(2 * maxChanges)
    expect(undecided).toEqual(ids.slice(2 * maxChanges))
  })

  it('processes an order once, however many messages name it', async () => {
    const sale = aSale({ stock: 200 })
    const { ports, clock, writeEach } = await openSales(redis, [sale])
    const ids = await writeEach(sale, ...range(100))
    clock.now = windowOver - 1
    const { later } = await cancelUnpaid(ports, [...ids, ...ids], clock.now + budgetMs)
    expect(later).toHaveLength(100)
  })

  it('cancels the orders of other pages when one cannot be read (O7)', async () => {
    const { ports, ids, run } = await unpaid(150)
    const [bad] = ids
    ports.table = onWireAt(ports.table, 'batch get ORDERS', (send, command) =>
      orderIdsIn(command).some((id) => id === bad) ? Promise.reject(new Error('unreadable')) : send(),
    )
    const { cancelled, undecided } = await run()
    const page = 4 * maxChanges
    expect(cancelled).toBe(150 - page)
    expect(undecided).toEqual(ids.slice(0, page))
  })

  it('cancels the other orders of a batch when one cannot be cancelled (O7, O8)', async () => {
    const { ports, telemetry, find, ids, run } = await unpaid(100)
    const bad = ids[40]
    if (bad === undefined) throw new Error('a hundred orders were to be written')
    let calls = 0
    ports.table = onWireAt(ports.table, changesOrders, (send, command) => {
      calls += 1
      return orderIdsIn(command).includes(bad)
        ? Promise.reject(new Error('the cap has less than the released orders'))
        : send()
    })
    const { cancelled, undecided } = await run()
    expect([cancelled, undecided]).toEqual([99, [bad]])
    expect((await find(bad)).status).toBe('awaiting-payment')
    expect(calls).toBeLessThan(20)
    expect(telemetry.lines.filter(({ level }) => level !== 'info')).toMatchObject([{ facts: { orderIds: [bad] } }])
  })

  it('cancels what it can when Redis is unavailable; the releases stay due (O9, I6)', async () => {
    const { sale, table, stock, telemetry, ids, run } = await unpaid(2)
    stock.goDown()
    expect((await run()).cancelled).toBe(2)
    expect(await dueReleases(table.table, sale.saleId)).toMatchObject(ids.map((orderId) => ({ orderId })))
    expect(telemetry.counted('ReleaseFailed')).toBe(1)
  })

  it('does not wait for a release beyond its deadline; it stays due (I6)', async () => {
    const { sale, table, stock, telemetry, ids, run } = await unpaid(1)
    stock.before('release', () => new Promise(() => {}))
    expect((await run(ids, 30)).cancelled).toBe(1)
    expect(await dueReleases(table.table, sale.saleId)).toMatchObject(ids.map((orderId) => ({ orderId })))
    expect(telemetry.counted('ReleaseFailed')).toBe(1)
  })
})

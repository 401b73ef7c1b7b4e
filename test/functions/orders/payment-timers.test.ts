import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { handlePaymentTimers } from '../../../functions/orders/cancel-unpaid.ts'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { consumersOf } from '../../world/consumers.ts'
import { openSales, writtenAt } from '../../world/open-sale.ts'

const redis = useRedis()

const windowOver = writtenAt + 900_000

async function timerRig(sales: readonly Sale[]) {
  const rig = await openSales(redis, sales)
  const { deadlines, deadLetters } = consumersOf(rig)
  const ports = { ...rig.ports, deadlines, deadLetters }
  /** One invocation, with seven seconds until its deadline. */
  const run = (...messages: { messageId: string; body: string }[]) =>
    handlePaymentTimers(ports, messages, rig.clock.now + 7_000)
  return { ...rig, ports, deadlines, deadLetters, run }
}

function timer(messageId: string, orderIds: readonly OrderId[], at = windowOver) {
  return { messageId, body: JSON.stringify({ orderIds, at }) }
}

describe('cancel-unpaid', () => {
  it('cancels unpaid orders and acknowledges the message, also a repeated one (O8, I5)', async () => {
    const sale = aSale({ stock: 100 })
    const { run, clock, writeEach, find, deadlines, telemetry, refreshed } = await timerRig([sale])
    const ids = await writeEach(sale, ...range(49))
    clock.now = windowOver
    expect(await run(timer('m1', ids), timer('m1 again', ids))).toEqual([])
    expect(await run(timer('m2', ids))).toEqual([])
    expect(telemetry.counted('OrdersCancelled')).toBe(49)
    expect(refreshed).toEqual([sale.saleId])
    for (const orderId of ids) expect((await find(orderId)).status).toBe('cancelled')
    expect((await readStock(redis, sale.saleId))?.booked).toBe(0)
    expect(deadlines.messages).toEqual([])
  })

  it('sends an early message again, and reads no order for it (O8)', async () => {
    const sale = aSale({ stock: 100 })
    const { run, clock, writeEach, deadlines, ports } = await timerRig([sale])
    const ids = await writeEach(sale, 1, 2)
    ports.table = onWireAt(ports.table, 'batch get ORDERS', () => Promise.reject(new Error('no order has to be read')))
    clock.now = windowOver - 1
    expect(await run(timer('m1', ids))).toEqual([])
    expect(deadlines.messages).toEqual([{ orderIds: ids, at: windowOver }])
  })

  it('sets one new timer for all orders whose payment is on its way, at the end of their grace (O8)', async () => {
    const sale = aSale({ stock: 200 })
    const { ports, run, clock, writeEach, deadlines } = await timerRig([sale])
    const ids = await writeEach(sale, ...range(150))
    for (const orderId of ids) {
      await changeOrder(ports, orderId, { kind: 'payment-started', graceMs: 120_000 })
    }
    clock.now = windowOver
    expect(await run(timer('m1', ids.slice(0, 80)), timer('m2', ids.slice(80)))).toEqual([])
    const later = windowOver + 120_000
    expect(deadlines.messages).toEqual([
      { orderIds: ids.slice(0, 100), at: later },
      { orderIds: ids.slice(100), at: later },
    ])
  })

  it('returns only the message whose new timer could not be set (O8)', async () => {
    const sale = aSale({ stock: 100 })
    const { run, clock, writeEach, deadlines, find } = await timerRig([sale])
    const [unpaid, ...early] = await writeEach(sale, 1, 2, 3)
    clock.now = windowOver
    deadlines.goDown()
    expect(await run(timer('m1', [unpaid]), timer('m2', early, windowOver + 1))).toEqual(['m2'])
    expect((await find(unpaid)).status).toBe('cancelled')
  })

  it('returns messages while the table is unavailable, and cancels on redelivery (I6, O8)', async () => {
    const sale = aSale({ stock: 100 })
    const { run, clock, writeEach, table, telemetry, refreshed } = await timerRig([sale])
    const ids = await writeEach(sale, 1, 2)
    clock.now = windowOver
    table.goDown()
    expect(await run(timer('m1', ids))).toEqual(['m1'])
    expect(telemetry.counted('MessagesFailed')).toBe(1)
    expect(telemetry.lines.map(({ level }) => level)).toEqual(['warn'])
    expect(refreshed).toEqual([])
    table.comeUp()
    expect(await run(timer('m1', ids))).toEqual([])
    expect(telemetry.counted('OrdersCancelled')).toBe(2)
  })

  it.each([
    ['no JSON', '{', 'body must be JSON'],
    ['no list of orders', '{"orderIds":"x","at":1}', 'orderIds must be a list'],
    ['no orders', '{"orderIds":[],"at":1}', 'orderIds must not be empty'],
    ['no order id', '{"orderIds":["x"],"at":1}', 'orderIds.0 is not a valid id'],
    ['no time', '{"orderIds":["sale-1-aaaaaaaaaaaaaaaaaaaaaaaaaa"]}', 'at must be a whole number'],
  ])(
    'rejects a message with %s to the dead-letter queue with the reason, and handles the others (O7)',
    async (_what, body, reason) => {
      const sale = aSale({ stock: 100 })
      const { run, clock, writeEach, deadLetters, telemetry } = await timerRig([sale])
      const ids = await writeEach(sale, 1)
      clock.now = windowOver
      expect(await run({ messageId: 'bad', body }, timer('m1', ids))).toEqual([])
      expect(deadLetters.letters).toEqual([{ body, reason }])
      expect(telemetry.counted('OrdersCancelled')).toBe(1)
      deadLetters.goDown()
      expect(await run({ messageId: 'bad', body })).toEqual(['bad'])
    },
  )
})

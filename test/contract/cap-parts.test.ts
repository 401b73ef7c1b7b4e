/** The parts of a cap: one suite for every table. Conflicts of its writers are in test/functions/orders/contention.test.ts. */
import { expect, it } from 'vitest'
import { capPartCount } from '../../core/orders/cap-part.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { writeOrders } from '../../functions/orders/write-orders.ts'
import { maxChanges } from '../../functions/table/orders/change-orders.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { capState, findCapParts, findCapPartsSnapshot, moveCapUnits } from '../../functions/table/stock/cap-parts.ts'
import { aSale } from '../redis/support.ts'
import { openWriter } from '../world/consumers.ts'
import { orderMessageOf } from '../world/messages.ts'
import { describeTables, entryOf, openTableSale, orderOf, range, step, type TableRig, write } from './table-rig.ts'

/** The units by part, the rest of the parts being empty. */
const units = (...some: number[]) => ({
  kind: 'parts',
  units: [...some, ...range(capPartCount - some.length).map(() => 0)],
})

/** A sale whose `stock` is divided among the parts like `parts`. */
async function saleInParts(rig: TableRig, parts: readonly number[], changes: Partial<Sale> = {}): Promise<Sale> {
  const stock = parts.reduce((sum, some) => sum + some, 0)
  const sale = await openTableSale(rig, { stock, ...changes })
  const moves = parts.map((some, part): [number, number] => [part, part === 0 ? some - stock : some])
  expect(await moveCapUnits(rig.table, sale.saleId, new Map(moves))).toEqual({ kind: 'written' })
  return sale
}

describeTables('a cap in parts', (the) => {
  const look = ({ saleId }: Sale) => findCapParts(the().table, saleId)

  it('has a part for each hundred units at first', async () => {
    const sale = await openTableSale(the(), { stock: 305 })
    expect(await look(sale)).toEqual(units(102, 102, 101))
    expect(await findCapPartsSnapshot(the().table, sale.saleId)).toEqual(units(102, 102, 101))
    expect(await saleTotals(the().table, sale.saleId)).toEqual({ remaining: 305, sold: 0, orders: 0 })
  })

  it('is missing for a sale that was never opened (I6)', async () => {
    await expect(look(aSale())).rejects.toThrow(/cap/)
    const move = new Map([
      [0, -1],
      [1, 1],
    ])
    expect(await moveCapUnits(the().table, aSale().saleId, move)).toEqual({ kind: 'refused' })
  })

  it('shows each change of its units, also where as many were sold as came back or were added', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 10 })
    const states = [await capState(rig.table, sale.saleId)]
    const cancel = () => rig.ledger.change([step(orderOf(sale, 1), 'cancelled')])
    for (const gain of [async () => 'nothing', cancel, () => rig.addToCap(sale.saleId, 1)]) {
      await gain()
      await rig.plainBook.write([entryOf(sale, orderOf(sale, states.length))])
      states.push(await capState(rig.table, sale.saleId))
    }
    expect(new Set(states).size).toBe(4)
  })

  it('takes back no units that the part has not sold, even if another has (I1, I4)', async () => {
    const rig = the()
    const sale = await saleInParts(rig, [4, 0, 6])
    const order = orderOf(sale, 1, 1, { capPart: 2 })
    await rig.plainBook.write([entryOf(sale, order)])
    const { capPart: _, ...elsewhere } = order
    await expect(rig.ledger.change([{ ...step(elsewhere, 'cancelled') }])).rejects.toThrow('has less than')
    expect(await look(sale)).toEqual(units(4, 0, 5))
  })

  it('ends as many orders at once as one call may, each of another part', async () => {
    const rig = the()
    const sale = await saleInParts(
      rig,
      range(maxChanges).map(() => 1),
    )
    const orders = range(maxChanges, 0).map((part) => orderOf(sale, part + 1, 1, part === 0 ? {} : { capPart: part }))
    await rig.plainBook.write(orders.map((order) => entryOf(sale, order)))
    const changes = orders.map((order, index) => ({
      ...step(order, 'refund-due'),
      refund: { paymentId: `pay-${sale.saleId}-${index}`, amount: 10, currency: 'CNY' },
    }))
    const event = { eventId: `event-${sale.saleId}`, digest: 'd', receivedAt: 1 }
    expect(await rig.ledger.change(changes, event)).toEqual({ kind: 'changed' })
    expect(await saleTotals(rig.table, sale.saleId)).toMatchObject({ remaining: maxChanges, sold: 0 })
  })

  it.each([
    ['one unit in the last part', [0, 0, 0, 1]],
    ['an odd rest', [3, 0, 7, 1, 0, 11]],
  ])('sells exactly its stock to several writers: %s (I1, I2)', async (_name, parts) => {
    const rig = the()
    const sale = await saleInParts(rig, parts)
    const stock = parts.reduce((sum, some) => sum + some, 0)
    const { ports, telemetry } = await openWriter([sale])
    const failed = await Promise.all(
      range(4, 0).map(async (writer) => {
        const own = { ...ports, writer: rig.newWriter(), sleep: async () => {} }
        const messages = range(20, writer * 15 + 1).map((shopper) => orderMessageOf({ sale, shopper }))
        return writeOrders(own, messages, own.clock() + 7_000)
      }),
    )
    expect(failed.flat()).toEqual([])
    const wanted = 3 * 15 + 20
    expect(await saleTotals(rig.table, sale.saleId)).toMatchObject({
      sold: Math.min(stock, wanted),
      remaining: Math.max(0, stock - wanted),
    })
    expect(telemetry.counted('OrdersRejected')).toBe(Math.max(0, wanted - stock))
  })

  it('collects the units of one order from parts that have too few each', async () => {
    const rig = the()
    const sale = await saleInParts(rig, [1, 1, 1, 1], { limitPerShopper: 9, maxPerOrder: 9 })
    await write(rig, sale, [orderOf(sale, 1, 1, { quantity: 3 })])
    expect(await rig.book.write([entryOf(sale, orderOf(sale, 2, 1, { quantity: 2 }))])).toMatchObject({
      caps: new Map([[sale.saleId, 1]]),
    })
    await write(rig, sale, [orderOf(sale, 3)])
    expect(await saleTotals(rig.table, sale.saleId)).toEqual({ remaining: 0, sold: 4, orders: 2 })
  })
})

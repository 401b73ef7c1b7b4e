/** One suite for every store of the units that Redis still has to return. */
import { expect, it } from 'vitest'
import { orderIdOf } from '../redis/support.ts'
import { describeTables, finalOf, openTableSale, orderOf, range, step, write } from './table-rig.ts'

describeTables('the releases that are due', (the) => {
  it('are empty in a sale where every order keeps its units', async () => {
    const rig = the()
    const sale = await openTableSale(rig)
    await write(rig, sale, [orderOf(sale, 1)])
    expect(await rig.releases.due(sale.saleId)).toEqual([])
  })

  it('contain the orders that the writer rejected among those it wrote (O7, O9)', async () => {
    const rig = the()
    const sale = await openTableSale(rig)
    const rejected = orderOf(sale, 2, 1, { status: 'rejected', reason: 'over-cap' })
    await write(rig, sale, [orderOf(sale, 1), rejected])
    expect(await rig.releases.due(sale.saleId)).toEqual([finalOf(rejected)])
  })

  it('are kept for each sale separately, and for every order until it is done (O9)', async () => {
    const rig = the()
    const sale = await openTableSale(rig, { stock: 150 })
    const other = await openTableSale(rig)
    const orders = range(120).map((shopper) => orderOf(sale, shopper))
    for (let start = 0; start < 120; start += 40) await write(rig, sale, orders.slice(start, start + 40))
    for (let start = 0; start < 120; start += 20) {
      const steps = orders.slice(start, start + 20).map((order) => step(order, 'cancelled'))
      await rig.ledger.change(steps)
    }
    await rig.ledger.reject(orderOf(other, 1, 1, { status: 'rejected', reason: 'lost' }))
    const ids = orders.map(({ orderId }) => orderId)
    expect(new Set(await rig.releases.due(sale.saleId))).toEqual(new Set(orders.map(finalOf)))
    await rig.releases.done(sale.saleId, ids.slice(0, 119))
    expect(await rig.releases.due(sale.saleId)).toEqual(orders.slice(119).map(finalOf))
    expect(await rig.releases.due(other.saleId)).toHaveLength(1)
  })

  it('may be done twice, and done where none was due (I5)', async () => {
    const rig = the()
    const sale = await openTableSale(rig)
    const order = orderOf(sale, 1, 1, { status: 'rejected', reason: 'lost' })
    await rig.ledger.reject(order)
    const both = [order.orderId, orderIdOf(sale.saleId, 9, 1), order.orderId]
    await rig.releases.done(sale.saleId, both)
    await rig.releases.done(sale.saleId, both)
    await rig.releases.done(sale.saleId, [])
    expect(await rig.releases.due(sale.saleId)).toEqual([])
  })
})

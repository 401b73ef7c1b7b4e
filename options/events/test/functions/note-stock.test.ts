/** The events about the units that a sale takes from the stock of the shop and returns. */
import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../../core/ids.ts'
import { markArchived, removeMarked } from '../../../../functions/repair/jobs/archive.ts'
import { phone } from '../../../../test/world/stock-record.ts'
import { useWorld } from '../../../../test/world/world.ts'
import { saleEvents } from '../../core/event.ts'
import { endpoints, readSaleSteps } from '../../functions/table.ts'

const hour = 3_600_000
const week = 7 * 24 * hour

const rig = useWorld()

const look = () => rig.reconcile()

async function addEndpoint(): Promise<void> {
  const now = rig.clock.now
  await endpoints.save(rig.ports, { actor: { who: 'mia', requestId: 'r' }, name: 'erp' }, async () => ({
    ...{ id: 'erp-1', url: 'https://shop.example/events', secret: 'sealed', formerSecrets: [], createdAt: now },
  }))
}

/** The events of all notes, each as if it were the newest: `<type> <quantity>` with the units of variants. */
async function stockEvents(): Promise<object[]> {
  const steps = await readSaleSteps(rig.table, phone as SaleId)
  return steps.flatMap((_, index) =>
    saleEvents(phone as SaleId, steps.slice(0, index + 1)).flatMap(({ type, number, data }) =>
      number === index + 1 && type.startsWith('stock.') ? [{ type, quantity: data.quantity, units: data.units }] : [],
    ),
  )
}

const event = (type: string, quantity: number, units?: object) => ({ type, quantity, units })

describe('the stock that a sale takes from the shop', () => {
  it('is taken once the sale is published, again for added units, and given back for removed ones, once each (I5)', async () => {
    await addEndpoint()
    await rig.create({ stock: 5 })
    await look()
    expect(await stockEvents(), 'a draft takes nothing').toEqual([])
    await rig.act('warm')
    await look()
    await look()
    expect(await stockEvents()).toEqual([event('stock.taken', 5)])
    await rig.ask('POST', '/sales/phone/stock', { delta: 3 }, { 'idempotency-key': 'more' })
    await look()
    await rig.ask('POST', '/sales/phone/stock', { delta: -2 }, { 'idempotency-key': 'less' })
    await look()
    expect(await stockEvents()).toEqual([event('stock.taken', 5), event('stock.taken', 3), event('stock.returned', 2)])
  })

  it('is given back when the sale is archived, but for what was sold', async () => {
    await addEndpoint()
    await rig.open({ stock: 5 })
    await look()
    for (const orderId of await rig.sell(2)) await rig.pay(orderId)
    await look()
    expect(await stockEvents(), 'sold units stay taken').toEqual([event('stock.taken', 5)])
    rig.clock.now += week + 5 * hour
    expect(await markArchived({ ...rig.ports, deadline: Infinity }, phone)).toBe(true)
    rig.clock.now += 60_000
    const marked = await rig.sale()
    expect(await removeMarked(rig.ports, marked)).toBe(true)
    expect(await removeMarked(rig.ports, marked)).toBe(true)
    expect(await stockEvents()).toEqual([event('stock.taken', 5), event('stock.returned', 3)])
  })

  it('is said of each variant by itself (N1)', async () => {
    await addEndpoint()
    const variants = [
      { id: 's', name: 'Small', stock: 2 },
      { id: 'm', name: 'Medium', stock: 3 },
    ]
    await rig.open({ stock: 5, variants })
    await look()
    await rig.ask('POST', '/sales/phone/stock', { delta: 1, variant: 'm' }, { 'idempotency-key': 'more' })
    await look()
    expect(await stockEvents()).toEqual([event('stock.taken', 5, { s: 2, m: 3 }), event('stock.taken', 1, { m: 1 })])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['without an endpoint', () => rig.open({ stock: 5 })],
    ['with an unlimited stock', async () => [await addEndpoint(), await rig.open({ stock: -1 })]],
  ])('is not noted %s', async (_, open) => {
    await open()
    await look()
    expect(await stockEvents()).toEqual([])
  })
})

/** The scheduled jobs of events: they record the steps of sales, and wake the sender for pending events. */
import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { StockFacts } from '../../../../redis/stock/stock.ts'
import { aSale, saleIdOf } from '../../../../test/redis/support.ts'
import { countedTable } from '../../../../test/world/table.ts'
import { saleStepRecorder, stockStepRecorder } from '../../functions/steps.ts'
import { readSaleSteps } from '../../functions/table.ts'
import { type EventRig, eventRig, startedAt } from './event-rig.ts'

const sale = (change: Partial<Sale> = {}) =>
  aSale({
    ...{ saleId: saleIdOf('mug'), warmed: true, flag: 'on', epoch: 1 },
    ...{ startsAt: startedAt - 1000, endsAt: startedAt + 3_600_000, ...change },
  })

const stock = (available: number, change: Partial<StockFacts> = {}) =>
  ({ available, frozen: false, heldBack: 0, isHeldBackFinal: true, ...change }) as StockFacts

const seen = (facts: StockFacts | undefined, soldOutRevision = -1, restockedRevision = 0) => ({
  ...{ stock: facts, gate: { soldOutRevision, restockedRevision } },
})

/** A shop with an endpoint. */
async function withEndpoint(change: { disabledBy?: 'marketer' } = {}): Promise<EventRig> {
  const rig = eventRig()
  await rig.endpoint('erp', change)
  return rig
}

const stepsOf = async ({ table }: EventRig) =>
  (await readSaleSteps(table, sale().saleId)).map(({ what, at }) => `${what} ${at - startedAt}`)

describe('what a sale does', () => {
  it('is noted once for all runs, when it was seen', async () => {
    const rig = await withEndpoint()
    const [one, other] = [await saleStepRecorder(rig.ports), await saleStepRecorder(rig.ports)]
    await one(sale(), seen(stock(3)))
    rig.time.now += 1000
    await other(sale(), seen(stock(0)))
    await one(sale(), seen(stock(0)))
    // The first run has not seen what the other has noted, and looks again.
    await one(sale(), seen(stock(0)))
    expect(await stepsOf(rig)).toEqual(['opened 0', 'sold-out 1000'])
  })

  it('is that it sold out, also when units came back before a look', async () => {
    const rig = await withEndpoint()
    const note = await saleStepRecorder(rig.ports)
    // The window before has sold out: what this one brought is revision 3.
    await note(sale({ startsAt: startedAt + 500 }), seen(stock(3), 1, 3))
    rig.time.now += 1000
    await note(sale(), seen(stock(3), 2, 3))
    expect(await stepsOf(rig)).toEqual(['opened 1000'])
    await (await saleStepRecorder(rig.ports))(sale(), seen(stock(1), 3, 4))
    expect(await stepsOf(rig)).toEqual(['opened 1000', 'sold-out 1000'])
  })

  it('is noted for no one without an endpoint that is enabled', async () => {
    const rig = await withEndpoint({ disabledBy: 'marketer' })
    await (await saleStepRecorder(rig.ports))(sale(), seen(stock(0)))
    expect(await stepsOf(rig)).toEqual([])
  })

  it('is not sold out while its stock is unknown, recovered or checked', async () => {
    const rig = await withEndpoint()
    const note = await saleStepRecorder(rig.ports)
    await note(sale(), seen(undefined))
    await note(sale(), seen(stock(0, { frozen: true })))
    expect(await stepsOf(rig)).toEqual([])
    await note(sale(), seen(stock(0, { heldBack: 2, isHeldBackFinal: false })))
    expect(await stepsOf(rig)).toEqual(['opened 0'])
  })

  it('is its end, also when its stock is not read any more', async () => {
    const rig = await withEndpoint()
    rig.time.now = startedAt + 3_600_000
    await (await saleStepRecorder(rig.ports))(sale(), seen(undefined))
    expect(await stepsOf(rig)).toEqual(['ended 3600000'])
  })
})

it('what sales have of the stock of the shop costs one read of the endpoints and one of all steps in a run', async () => {
  const rig = await withEndpoint()
  const { table, asked } = countedTable(rig.table)
  const sales = ['mug', 'lamp'].map((saleId) => sale({ saleId: saleIdOf(saleId), stock: 5 }))
  const note = stockStepRecorder({ ...rig.ports, table }, sales)
  for (const one of sales) await note(one)
  const reads = asked.filter((name) => name === 'QueryCommand' || name === 'BatchGetCommand')
  // The cap of each sale is read in a way of its own.
  expect(reads.slice(0, 2)).toEqual(['QueryCommand', 'BatchGetCommand'])
  expect(reads.filter((name) => name === 'QueryCommand')).toHaveLength(1)
})

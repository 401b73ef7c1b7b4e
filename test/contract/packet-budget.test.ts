/** The seed and the budget of red packets, in the table of the local stack. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import { readAudit } from '../../functions/table/audit.ts'
import { recordClosedBudget } from '../../functions/table/packets/budget.ts'
import { packetSeed } from '../../functions/table/packets/packet-seeds.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { openCap } from '../../functions/table/stock/cap-item.ts'
import { transact } from '../../functions/table/transaction.ts'
import { aRain } from '../redis/packets/rain.ts'
import { useTable } from './cloud.ts'
import { range } from './table-rig.ts'

const running = useTable()

const freshSeed = () => randomBytes(32)
const newSaleId = () => aRain([1]).saleId

async function openBudget(budget = 100): Promise<SaleId> {
  const { table } = running
  const saleId = newSaleId()
  await transact(table, openCap(table.name, saleId, { stock: 10, budget }))
  return saleId
}

const audited = (when: number) => readAudit(running.table, new Date(when).toISOString().slice(0, 10))

const returned = (saleId: SaleId, when = 9_000) => ({
  ...{ who: 'reconcile', what: 'return' as const, requestId: 'r1', saleId, when },
  before: null,
  after: { budget: 100, claimed: 0, returned: 100 },
})

it('gives a sale one secret seed of 32 bytes, for any number of parallel requests (P4)', async () => {
  const saleId = newSaleId()
  const [first, ...others] = await Promise.all(range(12).map(() => packetSeed(running.table, saleId, freshSeed)))
  expect(first).toHaveLength(32)
  for (const other of others) expect(other).toEqual(first)
  expect(await packetSeed(running.table, saleId, freshSeed)).toEqual(first)
})

it('gives each sale a seed of its own (P4)', async () => {
  const all = await Promise.all(range(20).map(() => packetSeed(running.table, newSaleId(), freshSeed)))
  expect(new Set(all.map((seed) => Buffer.from(seed).toString('hex')))).toHaveProperty('size', 20)
})

it('closes a budget once, with one audit entry (P1)', async () => {
  const saleId = await openBudget()
  const when = Date.UTC(2031, 0, 2)
  const closing = range(6).map(() => recordClosedBudget(running.table, saleId, 0, returned(saleId, when)))
  expect((await Promise.all(closing)).sort()).toEqual(['closed', ...range(5).map(() => 'moved')])
  expect(await recordClosedBudget(running.table, saleId, 0, returned(saleId, when))).toBe('moved')
  const totals = await saleTotals(running.table, saleId)
  expect(totals?.money).toEqual({ budget: 100, claimed: 0, closedAt: when })
  expect(await audited(when)).toEqual([returned(saleId, when)])
})

it('leaves a budget open, without an audit entry, when the credited amount differs from the one seen (P1)', async () => {
  const saleId = await openBudget()
  const when = Date.UTC(2031, 0, 3)
  expect(await recordClosedBudget(running.table, saleId, 1, returned(saleId, when))).toBe('moved')
  const totals = await saleTotals(running.table, saleId)
  expect(totals?.money).toEqual({ budget: 100, claimed: 0 })
  expect(await audited(when)).toEqual([])
})

it('creates no budget by closing it', async () => {
  const saleId = newSaleId()
  const when = Date.UTC(2031, 0, 4)
  expect(await recordClosedBudget(running.table, saleId, 0, returned(saleId, when))).toBe('moved')
  expect(await saleTotals(running.table, saleId)).toBeUndefined()
})

/** The seed and the budget of red packets, in the table of the local stack. */
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import { readAudit } from '../../functions/table/audit.ts'
import { packetSeed } from '../../functions/table/packets/packet-seeds.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { closeBudget } from '../../functions/table/sale/sales.ts'
import { openCap } from '../../functions/table/stock/cap-item.ts'
import { transact } from '../../functions/table/transaction.ts'
import { aRain } from '../redis/packets/rain.ts'
import { useTable } from './cloud.ts'
import { range } from './table-rig.ts'

const running = useTable()

const freshSeed = () => randomBytes(32)
const newSaleId = () => aRain([1]).saleId

const returned = (saleId: SaleId, when: number) => ({
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

it('closes a budget once, for the amount seen and with one audit entry, and makes none (P1)', async () => {
  const { table } = running
  const saleId = newSaleId()
  const when = Date.UTC(2031, 0, 2)
  const close = (seen = 0) => closeBudget(table, saleId, seen, returned(saleId, when))
  expect(await close(), 'of a sale without one').toBe('conflict')
  expect(await saleTotals(table, saleId)).toBeUndefined()
  await transact(table, openCap(table.name, saleId, { stock: 10, budget: 100 }))
  expect(await close(1), 'another amount was credited').toBe('conflict')
  expect((await saleTotals(table, saleId))?.money).toEqual({ budget: 100, claimed: 0 })
  expect((await Promise.all(range(6).map(() => close()))).sort()).toEqual([...range(5).map(() => 'conflict'), 'saved'])
  expect(await close()).toBe('conflict')
  expect((await saleTotals(table, saleId))?.money).toEqual({ budget: 100, claimed: 0, closedAt: when })
  expect(await readAudit(table, '2031-01-02')).toEqual([returned(saleId, when)])
})

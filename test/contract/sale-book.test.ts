/** One suite for every store of sales of `control`. */

import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import type { SalePlace } from '../../core/sale/sale-cursor.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import type { Table } from '../../functions/lib/shop/shop.ts'
import { type AuditEntry, readAudit } from '../../functions/table/audit.ts'
import { capKey } from '../../functions/table/keys.ts'
import { pageOfSales } from '../../functions/table/sale/sale-lists.ts'
import {
  addSale,
  findDeletedSale,
  findSale,
  type MovedUnits,
  type NewCap,
  removeSale,
  saveSale,
} from '../../functions/table/sale/sales.ts'
import { readCap } from '../../functions/table/stock/cap-item.ts'
import { aSale } from '../redis/support.ts'
import { currentSales } from '../world/table.ts'
import { rigsOf, type TestTable } from './cloud.ts'
import { describeEach } from './each.ts'

type Change = { cap: NewCap } | { moved: MovedUnits }

type Cap = { remaining: number | undefined; sold: number; budget?: number; variants?: VariantUnits }

type Rig = {
  table: Table
  audited: (day: string) => ReturnType<typeof readAudit>
  cap: (saleId: SaleId) => Promise<Cap | undefined>
  stop: () => Promise<void>
}

function rigOf({ table, stop }: TestTable): Rig {
  return {
    table,
    audited: (day) => readAudit(table, day),
    cap: async (saleId) => {
      const { Item } = await table.client.send(new GetCommand({ TableName: table.name, Key: capKey(saleId) }))
      if (Item === undefined) return undefined
      const { remaining, sold, budget } = Item
      const { variants } = readCap(Item)
      const left = Object.entries(variants ?? {}).map(([id, one]) => [id, one.left] as const)
      return {
        ...{ remaining, sold, ...(budget !== undefined && { budget }) },
        ...(variants && { variants: Object.fromEntries(left) }),
      }
    },
    stop,
  }
}

const noon = Date.UTC(2026, 10, 20, 12)

function entryOf(sale: Sale, what: AuditEntry['what'], when = noon): AuditEntry {
  return { who: 'mia', what, saleId: sale.saleId, when, before: null, after: { stock: 1 }, requestId: 'r' }
}

const recordOf = (sale: Sale) => ({ sale, finishedStockChanges: [] })

describeEach('the store of sales', rigsOf(rigOf), (the) => {
  const create = async (changes: Partial<Sale> = {}) => {
    const sale = aSale(changes)
    await addSale(the().table, sale, entryOf(sale, 'create'))
    return sale
  }

  it('reads back what was created, and never creates a sale twice', async () => {
    const sale = await create({ startToken: null, epoch: 0, flag: 'off', warmed: false })
    expect(await findSale(the().table, sale.saleId)).toEqual({ sale, revision: 1, finishedStockChanges: [] })
    expect(await addSale(the().table, { ...sale, price: 0 }, entryOf(sale, 'create'))).toBe('conflict')
    expect((await findSale(the().table, sale.saleId))?.sale.price).toBe(10)
    expect(await findSale(the().table, aSale().saleId)).toBeUndefined()
  })

  it('accepts only one of two changes of the same revision', async () => {
    const sale = await create()
    const saves = (['edit', 'pause', 'stock'] as const).map((title) =>
      saveSale(the().table, 1, recordOf({ ...sale, title }), { audit: entryOf(sale, title) }),
    )
    const results = await Promise.all(saves)
    expect(results.filter((result) => result === 'saved')).toHaveLength(1)
    const kept = await findSale(the().table, sale.saleId)
    expect(kept?.revision).toBe(2)
    const day = await the().audited('2026-11-20')
    const audited = day.filter(({ saleId, what }) => saleId === sale.saleId && what !== 'create')
    expect(audited.map(({ what }) => what)).toEqual([kept?.sale.title])
  })

  const save = (seen: number, sale: Sale, change: Change) =>
    'cap' in change
      ? saveSale(the().table, seen, recordOf(sale), change)
      : saveSale(the().table, seen, recordOf(sale), change)

  /** Each change of a cap is saved with the sale, or refused and without effect; `cap` is what is left of it then. */
  const add = (delta: number, units?: VariantUnits) => ({ moved: { delta, ...(units && { units }) } })
  const open = (stock: number, more: object = {}) => ({ cap: { stock, ...more } })
  it.each<[string, Partial<Sale>, [Change, 'saved' | 'conflict', Cap][]]>([
    [
      'a limited stock (I1)',
      { stock: 10 },
      [
        [open(10), 'saved', { remaining: 10, sold: 0 }],
        [open(10), 'conflict', { remaining: 10, sold: 0 }],
        [add(-3), 'saved', { remaining: 7, sold: 0 }],
        [add(-8), 'conflict', { remaining: 7, sold: 0 }],
        [add(-7), 'saved', { remaining: 0, sold: 0 }],
      ],
    ],
    [
      'an unlimited stock, which does not count down (S4)',
      { stock: -1 },
      [
        [open(-1), 'saved', { remaining: undefined, sold: 0 }],
        [open(-1), 'conflict', { remaining: undefined, sold: 0 }],
        [add(5), 'conflict', { remaining: undefined, sold: 0 }],
      ],
    ],
    [
      'red packets, whose total amount stays (P1)',
      { stock: 10 },
      [
        [open(10, { budget: 1221 }), 'saved', { remaining: 10, sold: 0, budget: 1221 }],
        [open(10, { budget: 9999 }), 'conflict', { remaining: 10, sold: 0, budget: 1221 }],
        [add(5), 'saved', { remaining: 15, sold: 0, budget: 1221 }],
      ],
    ],
    [
      'variants, each with units of its own (I1, N1)',
      { stock: 505, variants: Object.entries({ s: 500, m: 5 }).map(([id, stock]) => ({ id, name: id, stock })) },
      [
        [open(505, { units: { s: 500, m: 5 } }), 'saved', { remaining: 505, sold: 0, variants: { s: 500, m: 5 } }],
        [add(-6, { m: -6 }), 'conflict', { remaining: 505, sold: 0, variants: { s: 500, m: 5 } }],
        [add(6, { xl: 6 }), 'conflict', { remaining: 505, sold: 0, variants: { s: 500, m: 5 } }],
        [add(10, { s: 3, m: 7 }), 'saved', { remaining: 515, sold: 0, variants: { s: 503, m: 12 } }],
        [add(-12, { m: -12 }), 'saved', { remaining: 503, sold: 0, variants: { s: 503, m: 0 } }],
      ],
    ],
  ])('changes with a sale the cap of %s', async (_what, changes, steps) => {
    const sale = await create(changes)
    let revision = 1
    for (const [change, expected, after] of steps) {
      expect(await save(revision, sale, change)).toBe(expected)
      expect(await save(revision - 1, sale, change), 'stale').toBe('conflict')
      expect(await the().cap(sale.saleId)).toEqual(after)
      if (expected === 'saved') revision += 1
    }
    expect((await findSale(the().table, sale.saleId))?.sale.variants).toEqual(sale.variants)
  })

  it('remembers an unfinished stock change until it is saved as finished, and its result (I5, N1)', async () => {
    const sale = await create()
    const pendingStock = { changeId: 'c1', number: 2, delta: 5, units: { s: 5 }, who: 'mia', requestId: 'r' }
    await saveSale(the().table, 1, { sale, pendingStock, finishedStockChanges: [] }, {})
    expect(await findSale(the().table, sale.saleId)).toEqual({ ...recordOf(sale), revision: 2, pendingStock })
    const finishedStockChanges = [{ changeId: 'c1', number: 2, delta: 5, units: { s: 5 }, total: 15, booked: 3 }]
    await saveSale(the().table, 2, { sale, finishedStockChanges }, {})
    expect(await findSale(the().table, sale.saleId)).toEqual({ sale, revision: 3, finishedStockChanges })
  })

  it('lists every sale by its start, and no deleted one; the id of a deleted one stays taken', async () => {
    const late = await create({ startsAt: 8_000 })
    const early = await create({ startsAt: 7_000 })
    const gone = await create({ startsAt: 7_500 })
    const remove = (revision: number) =>
      removeSale(the().table, { ...recordOf(gone), revision }, entryOf(gone, 'delete'))
    expect(await remove(9)).toBe('conflict')
    expect(await remove(1)).toBe('saved')
    const listed = (await currentSales(the().table)).map(({ saleId }) => saleId)
    expect(listed.filter((id) => [late, early, gone].some(({ saleId }) => saleId === id))).toEqual([
      early.saleId,
      late.saleId,
    ])
    expect(await findSale(the().table, gone.saleId)).toBeUndefined()
    expect(await findDeletedSale(the().table, gone.saleId)).toEqual(gone)
    expect(await findDeletedSale(the().table, late.saleId)).toBeUndefined()
    expect(await addSale(the().table, gone, entryOf(gone, 'create'))).toBe('conflict')
    expect(await saveSale(the().table, 2, recordOf(gone), {})).toBe('conflict')
  })

  it('lists sales page by page, the latest start first, each once, also those with the same start', async () => {
    const far = 1_900_000_000_000
    const made = []
    for (const startsAt of [far, far, far, far + 1, far + 2]) made.push(await create({ startsAt, endsAt: far + 9 }))
    const expected = made
      .toSorted((a, b) => b.startsAt - a.startsAt || (a.saleId < b.saleId ? 1 : -1))
      .map(({ saleId }) => saleId)
    const seen: SaleId[] = []
    let after: SalePlace | undefined
    do {
      const page = await pageOfSales(the().table, 'current', 2, after)
      expect(page.sales.length).toBeLessThanOrEqual(2)
      seen.push(...page.sales.map(({ saleId }) => saleId))
      after = page.next
    } while (after !== undefined)
    expect(seen.slice(0, 5)).toEqual(expected)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength((await currentSales(the().table)).length)
    // The last page says that it is the last, also when it is full.
    expect((await pageOfSales(the().table, 'current', seen.length, undefined)).next).toBeUndefined()
  })

  it('lists an archived sale separately once its keys are removed', async () => {
    const { saleId } = await create({ startsAt: 1_000, endsAt: 2_000 })
    const isListed = async () => {
      const has = (sales: readonly Sale[]) => sales.some((sale) => sale.saleId === saleId)
      const archived = await pageOfSales(the().table, 'archived', 100, undefined)
      return { current: has(await currentSales(the().table)), archived: has(archived.sales) }
    }
    const archiving = async () => {
      const found = await findSale(the().table, saleId)
      if (found === undefined) throw new Error('the sale is gone')
      const { revision, ...kept } = found
      return { revision, kept }
    }
    const marking = await archiving()
    const sale = { ...marking.kept.sale, archivedAt: 3_000 }
    expect(await saveSale(the().table, marking.revision, { ...marking.kept, sale }, {})).toBe('saved')
    expect(await isListed()).toEqual({ current: true, archived: false })
    const removing = await archiving()
    expect(removing.kept.sale.archivedAt).toBe(3_000)
    expect(await saveSale(the().table, removing.revision, { ...removing.kept, removedAt: 4_000 }, {})).toBe('saved')
    expect(await isListed()).toEqual({ current: false, archived: true })
    expect(await findSale(the().table, saleId)).toMatchObject({ sale, removedAt: 4_000, revision: 3 })
  })

  it('returns the changes of one day, newest first', async () => {
    const sale = aSale()
    const day = Date.UTC(2027, 0, 2)
    await addSale(the().table, sale, entryOf(sale, 'create', day))
    const nextDay = entryOf(sale, 'resume', day + 86_400_000)
    await saveSale(the().table, 1, recordOf(sale), { audit: entryOf(sale, 'pause', day + 1) })
    await saveSale(the().table, 2, recordOf(sale), { audit: nextDay })
    expect(await the().audited('2027-01-02')).toEqual([entryOf(sale, 'pause', day + 1), entryOf(sale, 'create', day)])
  })
})

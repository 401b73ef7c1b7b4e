/** Sales with variants in every table: cap, buyers' totals and orders agree by variant (N1). */

import { expect, it } from 'vitest'
import type { Sale } from '../../core/sale/sale.ts'
import { allUnits, maxVariants, type VariantUnits } from '../../core/sale/variants.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { describeTables, entryOf, openTableSale, orderOf, range, step, type TableRig } from './table-rig.ts'

const variantsOf = (stocks: VariantUnits) =>
  Object.entries(stocks).map(([id, stock]) => ({ id, name: id.toUpperCase(), stock }))

function saleOf(rig: TableRig, stocks: VariantUnits, limitPerShopper = 50): Promise<Sale> {
  const limits = { limitPerShopper, maxPerOrder: limitPerShopper }
  return openTableSale(rig, { stock: allUnits(stocks), variants: variantsOf(stocks), ...limits })
}

const ofVariant = (sale: Sale, shopper: number, variant: string, quantity: number) =>
  orderOf(sale, shopper, 1, { quantity, variant })

const entry = (...order: Parameters<typeof ofVariant>) => entryOf(order[0], ofVariant(...order))

const written = { kind: 'written' } as const

describeTables('a sale with variants', (the) => {
  const totalsOf = ({ saleId }: Sale) => saleTotals(the().table, saleId)

  it('writes orders of as many variants as a sale may have (N1)', async () => {
    const ids = range(maxVariants).map((at) => `v${at}`)
    const sale = await saleOf(the(), Object.fromEntries(ids.map((id) => [id, 3])))
    const chunk = ids.map((id, at) => entry(sale, at, id, 2))
    expect((await the().book.write([...chunk, entry(sale, maxVariants, 'v1', 2)])).kind).toBe('refused')
    expect(await the().book.write(chunk)).toEqual(written)
    expect(await totalsOf(sale)).toMatchObject({ remaining: 24, sold: 48 })
  })

  it('takes back no units that the variant has not sold, even if another has (I1, I4, N1)', async () => {
    const sale = await saleOf(the(), { m: 5, s: 5 })
    const order = ofVariant(sale, 1, 'm', 2)
    await the().book.write([entryOf(sale, order)])
    const other = step({ ...order, variant: 's' }, 'cancelled')
    await expect(the().ledger.change([other])).rejects.toThrow('less than the released orders')
    expect(await totalsOf(sale)).toMatchObject({ sold: 2, variants: { m: { left: 3, sold: 2 } } })
  })
})

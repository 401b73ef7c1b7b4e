/** Sales with variants in every table: cap, buyers' totals and orders agree by variant (N1). */

import { expect, it } from 'vitest'
import { capPartCount } from '../../core/orders/cap-part.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { allUnits, maxVariants, type VariantUnits } from '../../core/sale/variants.ts'
import { maxChanges } from '../../functions/table/orders/change-orders.ts'
import { saleTotals } from '../../functions/table/sale/sale-orders.ts'
import { findCapParts } from '../../functions/table/stock/cap-parts.ts'
import { openWriter } from '../world/consumers.ts'
import { type Asked, idOf, orderMessageOf } from '../world/messages.ts'
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

  it('has a cap of one part with the units of each variant (N1)', async () => {
    const sale = await saleOf(the(), { l: 0, m: 500, s: 400 })
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 900, sold: 0, orders: 0 },
      variants: { l: { left: 0, sold: 0 }, m: { left: 500, sold: 0 }, s: { left: 400, sold: 0 } },
    })
    const parts = [900, ...range(capPartCount - 1).map(() => 0)]
    expect(await findCapParts(the().table, sale.saleId)).toEqual({ kind: 'parts', units: parts })
  })

  it('writes orders of as many variants as a sale may have (N1)', async () => {
    const ids = range(maxVariants).map((at) => `v${at}`)
    const sale = await saleOf(the(), Object.fromEntries(ids.map((id) => [id, 3])))
    const chunk = ids.map((id, at) => entry(sale, at, id, 2))
    expect((await the().book.write([...chunk, entry(sale, maxVariants, 'v1', 2)])).kind).toBe('refused')
    expect(await the().book.write(chunk)).toEqual(written)
    expect(await totalsOf(sale)).toMatchObject({ remaining: 24, sold: 48 })
  })

  it('returns the units of many orders with one update of the cap (N1)', async () => {
    const sale = await saleOf(the(), { m: 50, s: 50 })
    const orders = range(maxChanges).map((shopper) => ofVariant(sale, shopper, shopper % 2 === 0 ? 'm' : 's', 1))
    await the().book.write(orders.map((order) => entryOf(sale, order)))
    expect(await the().ledger.change(orders.map((order) => step(order, 'cancelled')))).toEqual({ kind: 'changed' })
    expect(await totalsOf(sale)).toMatchObject({
      ...{ remaining: 100, sold: 0, orders: 0 },
      variants: { m: { left: 50, sold: 0 }, s: { left: 50, sold: 0 } },
    })
  })

  it('takes back no units that the variant has not sold, even if another has (I1, I4, N1)', async () => {
    const sale = await saleOf(the(), { m: 5, s: 5 })
    const order = ofVariant(sale, 1, 'm', 2)
    await the().book.write([entryOf(sale, order)])
    const other = step({ ...order, variant: 's' }, 'cancelled')
    await expect(the().ledger.change([other])).rejects.toThrow('less than the orders given back')
    expect(await totalsOf(sale)).toMatchObject({ sold: 2, variants: { m: { left: 3, sold: 2 } } })
  })

  it('sells exactly the units of each variant to parallel writers (I1, I2, I3, I5, N1)', async () => {
    const sale = await saleOf(the(), { l: 10, m: 30, s: 20 }, 3)
    const { ports, telemetry, write } = await openWriter([sale])
    ports.book = the().book
    const asked = range(60).map((shopper): Asked => {
      const variant = shopper % 3 === 0 ? 'l' : shopper % 3 === 1 ? 'm' : 's'
      return { sale, shopper, variant, ...(variant === 'm' && { quantity: 2 }) }
    })
    const batch = (from: number) => asked.slice(from, from + 30).map((one) => orderMessageOf(one))
    const failed = await Promise.all([0, 15, 30, 0].map((from) => write(batch(from))))
    expect(failed.flat()).toEqual([])
    const orders = await Promise.all(asked.map((one) => the().ledger.find(idOf(one))))
    expect(orders.every((order) => order !== undefined)).toBe(true)
    expect(orders.filter((order) => order?.reason === 'over-cap')).toHaveLength(15)
    expect(telemetry.counted('OrdersWritten')).toBe(45)
    expect(await totalsOf(sale)).toEqual({
      ...{ remaining: 0, sold: 60, orders: 45 },
      variants: { l: { left: 0, sold: 10 }, m: { left: 0, sold: 30 }, s: { left: 0, sold: 20 } },
    })
  })
})

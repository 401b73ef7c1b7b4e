import { describe, expect, it } from 'vitest'
import type { Variant } from '../../../../core/sale/variants.ts'
import { checkCap } from '../../../../functions/recovery/reconcile-sale.ts'
import type { SaleTotals } from '../../../../functions/table/stock/cap-item.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { aSale } from '../../../redis/support.ts'
import { worldTable } from '../../../world/table.ts'
import { testTelemetry } from '../../../world/telemetry.ts'
import { withSale, withTotals, withTotalsAtOnce } from '../../../world/wire.ts'

const totals = (remaining: number, sold: number): SaleTotals => ({ remaining, sold, orders: sold })

/** Checks a sale of ten units whose cap has `read`, and at one moment `atOnce`. */
async function check(
  read: SaleTotals | undefined,
  atOnce?: SaleTotals,
  { stock = 10, saved = false, variants }: { stock?: number; saved?: boolean; variants?: Variant[] } = {},
) {
  const sale = aSale({ stock, ...(variants && { variants }) })
  const telemetry = testTelemetry()
  let revision = 1
  const table = onWireAt(
    withTotalsAtOnce(
      withTotals(
        withSale(
          worldTable().table,
          () => sale,
          () => revision,
        ),
        read,
      ),
      atOnce,
    ),
    'transact get CAP',
    (send) => {
      if (saved) revision += 1
      return send()
    },
  )
  await checkCap({ table, ...telemetry }, sale)
  return telemetry.counted('CapMismatch')
}

describe('the check of a cap', () => {
  it.each<[string, SaleTotals | undefined, SaleTotals | undefined, { stock?: number; saved?: boolean }, number]>([
    ['nothing when units left and units sold are the stock', totals(7, 3), undefined, {}, 0],
    ['units that are missing', totals(6, 3), totals(6, 3), {}, 1],
    ['units that are too many', totals(9, 3), totals(9, 3), {}, 2],
    ['no units that were moving while it read the parts one after another', totals(5, 3), totals(7, 3), {}, 0],
    ['no units of a cap that cannot be read at one moment', totals(5, 3), undefined, {}, 0],
    ['nothing of a stock that was changed meanwhile', totals(12, 3), totals(12, 3), { saved: true }, 0],
    ['nothing of an unlimited stock (S4)', totals(-1, 3), totals(-1, 3), { stock: -1 }, 0],
    ['nothing without a cap', undefined, undefined, {}, 0],
  ])('reports %s (I4)', async (_, read, atOnce, sale, difference) => {
    expect(await check(read, atOnce, sale)).toBe(difference)
  })

  it.each([
    ['a variant', { m: { left: 2, sold: 2 }, s: { left: 3, sold: 1 } }, 2],
    ['all variants, where one has units of another', { m: { left: 5, sold: 2 }, s: { left: 2, sold: 1 } }, 2],
    ['no variant', { m: { left: 4, sold: 2 }, s: { left: 3, sold: 1 } }, 0],
  ])('reports units of %s that are missing or too many (I4, N1)', async (_, byVariant, difference) => {
    const variants = [
      { id: 'm', name: 'M', stock: 6 },
      { id: 's', name: 'S', stock: 4 },
    ]
    const found = { ...totals(7, 3), variants: byVariant }
    expect(await check(found, found, { variants })).toBe(difference)
  })
})

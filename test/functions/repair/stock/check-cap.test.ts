import { describe, expect, it } from 'vitest'
import type { Variant } from '../../../../core/sale/variants.ts'
import { checkCap } from '../../../../functions/repair/reconcile-sale.ts'
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
  it('finds nothing when units left and units sold are the stock (I4)', async () => {
    expect(await check(totals(7, 3))).toBe(0)
  })

  it.each([
    [totals(6, 3), 1],
    [totals(9, 3), 2],
  ])('reports units that are missing or too many (I4)', async (found, difference) => {
    expect(await check(found, found)).toBe(difference)
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

  it('does not count units that were moving while it read the parts one after another', async () => {
    expect(await check(totals(5, 3), totals(7, 3))).toBe(0)
    expect(await check(totals(5, 3), undefined)).toBe(0)
  })

  it('does not compare with a stock that was changed meanwhile', async () => {
    expect(await check(totals(12, 3), totals(12, 3), { saved: true })).toBe(0)
  })

  it('has nothing to check for an unlimited stock, or without a cap (S4)', async () => {
    expect(await check(totals(-1, 3), totals(-1, 3), { stock: -1 })).toBe(0)
    expect(await check(undefined)).toBe(0)
  })
})

/** The list of sales and its filter at the gate. */
import { describe, expect, it } from 'vitest'
import { buildSaleFilter } from '../../../core/gate/sale-filter.ts'
import { listSale, publishFilter, readListVersions, readSales } from '../../../redis/gate/shared-lists.ts'
import { filterKey } from '../../edge/support.ts'
import { saleIdOf } from '../support.ts'
import { useRedis } from '../test-store.ts'

const gate = useRedis()

const [lamp, phone] = [saleIdOf('lamp'), saleIdOf('phone')]

const isCurrent = async () => {
  const { sales, filter } = await readListVersions(gate)
  return filter >= sales
}

describe('the list of sales', () => {
  it('has a new list version with each change of the list, and only then (B4)', async () => {
    expect(await readSales(gate)).toEqual({ listVersion: 0, saleIds: [] })
    expect(await listSale(gate, lamp, true, 1_000)).toMatchObject({ isChanged: true, listVersion: 1_000 })
    const { listVersion } = await readSales(gate)
    expect(await listSale(gate, lamp, true, 5_000)).toMatchObject({ isChanged: false, listVersion: 1_000 })
    expect(await readSales(gate)).toEqual({ listVersion, saleIds: [lamp] })
    expect(await readListVersions(gate)).toMatchObject({ filter: 0 })
    await listSale(gate, phone, true, 500)
    const second = await readSales(gate)
    expect(second.listVersion).toBeGreaterThan(listVersion)
    expect([...second.saleIds].sort()).toEqual([lamp, phone])
    await listSale(gate, lamp, false, 500)
    const third = await readSales(gate)
    expect(third.listVersion).toBeGreaterThan(second.listVersion)
    expect(third.saleIds).toEqual([phone])
  })

  it('accepts only a filter of the current list, and detects later changes, independent of clocks (B4)', async () => {
    await listSale(gate, lamp, true, 1_000)
    const { listVersion, saleIds } = await readSales(gate)
    await listSale(gate, phone, true, 1_001)
    expect(await publishFilter(gate, buildSaleFilter(saleIds, filterKey), listVersion, 2_000)).toBe('moved')
    expect(await isCurrent()).toBe(false)
    const now = await readSales(gate)
    expect(await publishFilter(gate, buildSaleFilter(now.saleIds, filterKey), now.listVersion, 90_000)).toBe(
      'published',
    )
    expect(await isCurrent()).toBe(true)
    await listSale(gate, lamp, false, 3_000)
    expect(await isCurrent()).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { type LoadedSales, withFirstPage, withNextPage } from '../../../console/list/sale-reader.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { cursorOfSale } from '../../../core/sale/sale-cursor.ts'
import { aSale, saleIdOf } from '../../redis/support.ts'

const sale = (startsAt: number, changes: Partial<Sale> = {}): Sale => ({
  ...aSale({ saleId: saleIdOf(`sale-${startsAt}`), startsAt }),
  ...changes,
})
const cursor = (startsAt: number) => cursorOfSale(sale(startsAt))
const page = (next: number | null, ...starts: number[]) => ({
  sales: starts.map((at) => sale(at)),
  next: next === null ? null : cursor(next),
})
const starts = (list: LoadedSales) => list.sales.map(({ startsAt }) => startsAt)

describe('the sales of the console', () => {
  it('are those of the first page until more is loaded', () => {
    const first = withFirstPage(undefined, page(8, 9, 8))
    expect([starts(first), first.next]).toEqual([[9, 8], cursor(8)])
    const moved = withFirstPage(first, page(9, 10, 9))
    expect(starts(moved).slice(0, 2)).toEqual([10, 9])
  })

  it('keep the older pages below the first one, which is asked for again', () => {
    let list = withNextPage(withFirstPage(undefined, page(8, 9, 8)), page(6, 7, 6))
    expect([starts(list), list.next]).toEqual([[9, 8, 7, 6], cursor(6)])
    list = withFirstPage(list, page(8, 9, 8))
    expect([starts(list), list.next]).toEqual([[9, 8, 7, 6], cursor(6)])
    // A new sale pushes another off the first page, and no gap opens.
    list = withFirstPage(list, page(9, 10, 9))
    expect([starts(list), list.next]).toEqual([[10, 9, 8, 7, 6], cursor(6)])
    list = withNextPage(list, page(null, 5))
    expect([starts(list), list.next]).toEqual([[10, 9, 8, 7, 6, 5], null])
  })

  it('keep the numbers that a look leaves out, on a whole first page, too', () => {
    const counted = (sold: number) => ({ sold, left: 1, paid: null, revenue: null, out: null, full: null })
    const numbers = { 'sale-9': counted(9), 'sale-8': counted(8) }
    const list = withFirstPage(undefined, { ...page(null, 9, 8), numbers })
    const after = withFirstPage(list, { ...page(null, 9, 8), numbers: { 'sale-9': counted(10) } })
    expect(after.numbers).toEqual({ ...numbers, 'sale-9': counted(10) })
  })

  it('lose one that was deleted from the first page, and show a changed one as it is now', () => {
    const list = withNextPage(withFirstPage(undefined, page(8, 9, 8)), page(null, 7, 6))
    const after = withFirstPage(list, { sales: [sale(9, { title: 'New' }), sale(7)], next: cursor(7) })
    expect(starts(after)).toEqual([9, 7, 6])
    expect(after.sales[0]?.title).toBe('New')
  })

  it('are whole when the first page is the last one', () => {
    const list = withNextPage(withFirstPage(undefined, page(8, 9, 8)), page(null, 7))
    expect(starts(withFirstPage(list, page(null, 9)))).toEqual([9])
  })
})

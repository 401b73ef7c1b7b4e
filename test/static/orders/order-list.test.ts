import { describe, expect, it } from 'vitest'
import { orderPages } from '../../../static/orders/order-list.ts'
import { orderWith } from './order.ts'

const order = (n: number, status = 'paid') =>
  orderWith({ orderId: `mug-${String.fromCharCode(96 + n).repeat(26)}`, status })
const page = (numbers: readonly number[], next: string | null) => ({ orders: numbers.map((n) => order(n)), next })
const idsOf = (pages: ReturnType<typeof orderPages>) => pages.orders().map(({ orderId }) => orderId[4])

describe('the pages of a shopper’s orders', () => {
  it('grow by one with each that is loaded, until there is no next', () => {
    const pages = orderPages()
    pages.takeFirst(page([4, 3], 'c3'))
    expect(pages.next()).toBe('c3')
    pages.takeMore('c3', page([2, 1], null))
    expect([idsOf(pages), pages.next()]).toEqual([['d', 'c', 'b', 'a'], null])
  })

  it('keep what was loaded when the first page is read again', () => {
    const pages = orderPages()
    pages.takeFirst(page([3], 'c3'))
    pages.takeMore('c3', page([2], 'c2'))
    pages.takeFirst(page([5, 4], 'c4'))
    expect([new Set(idsOf(pages)), pages.next()]).toEqual([new Set(['b', 'c', 'd', 'e']), 'c2'])
    pages.takeFirst({ orders: [order(5, 'cancelled')], next: 'c5' })
    expect(pages.orders().find(({ status }) => status === 'cancelled')).toBeDefined()
  })

  it('take an answer once, and nothing after they were cleared', () => {
    const pages = orderPages()
    pages.takeFirst(page([3], 'c3'))
    pages.takeMore('c3', page([2], 'c2'))
    pages.takeMore('c3', page([9], 'c9'))
    expect([idsOf(pages), pages.next()]).toEqual([['c', 'b'], 'c2'])
    pages.clear()
    pages.takeMore('c2', page([1], null))
    expect([idsOf(pages), pages.next()]).toEqual([[], null])
  })
})

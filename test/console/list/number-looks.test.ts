import { describe, expect, it } from 'vitest'
import { numberLooks } from '../../../console/list/sale-reader.ts'

const countsOf = (sales: number) => ({
  numbers: Object.fromEntries(
    Array.from({ length: sales }, (_, i) => [`sale-${i}`, { sold: 0, left: 1, paid: 0, revenue: 0, out: 0, full: 0 }]),
  ),
})

/** Returns the requests of a minute, one every five seconds. */
function countedIn(list: number, near: number): { each: string[] } {
  let now = 1_000_000
  const looks = numberLooks(() => now)
  const each: string[] = []
  for (; now < 1_060_000; now += 5000) {
    const wanted = looks.next()
    each.push(String(wanted))
    looks.counted('list', wanted, countsOf(list))
    looks.counted('near', wanted, countsOf(near))
  }
  return { each }
}

describe('the looks at a list of sales', () => {
  it('ask for moving numbers each time, and for all every half a minute, while few sales move', () => {
    const half = ['true', 'moving', 'moving', 'moving', 'moving', 'moving']
    expect(countedIn(12, 8).each).toEqual([...half, ...half])
  })

  it('count no more than 20 moving sales on average, however many move', () => {
    const { each } = countedIn(50, 0)
    expect(each.slice(0, 7)).toEqual(['true', 'moving', 'false', 'moving', 'false', 'false', 'true'])
    const counts = (sales: number) => countedIn(sales, 0).each.filter((one) => one === 'moving').length
    expect([20, 40, 60, 200].map(counts)).toEqual([10, 6, 4, 2])
  })

  it('count a sale in the list and above it twice', () => {
    expect(countedIn(20, 20).each).toEqual(countedIn(40, 0).each)
  })

  it('begin with all numbers again after a new search', () => {
    const looks = numberLooks(() => 0)
    expect([looks.next(), looks.next()]).toEqual([true, 'moving'])
    looks.restart()
    expect(looks.next()).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { addressOfSearch, goesOn, searchIn } from '../../../console/list/search-bar.tsx'
import type { SaleSearch } from '../../../core/sale/sale-search.ts'

describe('the search in the address of the console', () => {
  it.each<SaleSearch>([
    { find: '' },
    { find: 'mug' },
    { find: '50 % off/#?&=+ 陶杯 🍵' },
    { find: '..%2f', kind: 'goods', state: 'live' },
    { find: '', kind: 'red-packet' },
  ])('is read back as it was written: %j', (search) => {
    for (const path of ['#/', '#/archived']) {
      const address = addressOfSearch(path, search)
      expect(searchIn(address)).toEqual(search)
      expect(address.split('?')[0]).toBe(path)
    }
  })

  it('leaves out what is unknown, twice there or too long', () => {
    expect(searchIn('#/?state=sold-out&kind=mugs&page=2')).toEqual({ find: '' })
    expect(searchIn('#/?find=%E0%A4%A')).toMatchObject({ find: expect.any(String) })
    expect(searchIn(`#/?find=${'x'.repeat(500)}`).find).toHaveLength(40)
    expect(searchIn('#/?find=a&find=b')).toEqual({ find: 'a' })
  })

  it('has a step to come back to for each search, but not for each letter of it', () => {
    expect(goesOn({ find: 'm' }, { find: 'mu' })).toBe(true)
    expect(goesOn({ find: '' }, { find: 'm' })).toBe(false)
    expect(goesOn({ find: 'm' }, { find: '' })).toBe(false)
    expect(goesOn({ find: 'm' }, { find: 'm', state: 'live' })).toBe(false)
  })
})

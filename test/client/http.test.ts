/** How a client reads an answer. */
import { describe, expect, it } from 'vitest'
import { readProblem } from '../../client/http.ts'

const read = (members: unknown) => readProblem(JSON.stringify(members))

describe('an answer', () => {
  it('is a problem with a code, also one that is newer than the client', () => {
    const members = { code: 'sold-out', detail: 'd', remaining: 0, reason: 'r', newer: [1] }
    expect(read(members)).toEqual(members)
    expect(read({ code: 'newer' })).toEqual({ code: 'newer', detail: '' })
    expect(read({ detail: 'd' })).toBeUndefined()
    expect(read(null)).toBeUndefined()
    expect(readProblem('<html>')).toBeUndefined()
  })

  it.each([
    ['detail', 4],
    ['field', ['a']],
    ['remaining', '1'],
    ['variant', null],
    ['retryAfterSeconds', '9'],
    ['now', {}],
    ['lookup', 'https://evil.example/'],
    ['lookup', '/api/orders?sale=mug&x=1'],
    ['lookup', '@evil.example/api/orders'],
    ['reason', 1],
  ])('leaves out a %s that is %j', (name, value) => {
    expect(read({ code: 'sold-out', [name]: value })).toEqual({ code: 'sold-out', detail: '' })
  })

  it('has the path at which a shopper finds what was won', () => {
    for (const lookup of ['/api/orders?sale=mug', '/api/packets?sale=mug-2', '/api/orders'])
      expect(read({ code: 'sold-out', lookup })?.lookup).toBe(lookup)
  })
})

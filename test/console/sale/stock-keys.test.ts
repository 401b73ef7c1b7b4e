import { describe, expect, it } from 'vitest'
import { callKeys } from '../../../console/parts/call-keys.ts'
import { canChangeUnits } from '../../../console/sale/stock-panel.tsx'
import { aSale } from '../../redis/support.ts'

function counting() {
  let made = 0
  return callKeys(() => {
    made += 1
    return `key-${made}`
  })
}

it('a change of the stock is offered while it can reach a shopper, and not once the sale has ended', () => {
  const sale = aSale({ warmed: true, stock: 10 })
  for (const phase of ['scheduled', 'open', 'paused', 'sold-out'] as const)
    expect(canChangeUnits({ sale, phase })).toBe(true)
  expect(canChangeUnits({ sale, phase: 'ended' })).toBe(false)
  for (const change of [{ stock: -1 }, { warmed: false }, { kind: 'red-packet' as const }])
    expect(canChangeUnits({ sale: { ...sale, ...change }, phase: 'open' })).toBe(false)
})

describe('the key of a stock change', () => {
  it('stays the same while no answer said that it was done: pressing again adds nothing twice (I5)', () => {
    const keys = counting()
    expect([1, 2, 3].map(() => keys.keyOf('mug', { delta: 5 }))).toEqual(['key-1', 'key-1', 'key-1'])
  })

  it('is a new one once the change was done', () => {
    const keys = counting()
    keys.keyOf('mug', { delta: 5 })
    keys.done('mug')
    expect(keys.keyOf('mug', { delta: 5 })).toBe('key-2')
  })

  it('belongs to one change of one sale', () => {
    const keys = counting()
    expect(keys.keyOf('mug', { delta: 5 })).toBe('key-1')
    expect(keys.keyOf('lamp', { delta: 5 })).toBe('key-2')
    expect(keys.keyOf('mug', { delta: -5 })).toBe('key-3')
    expect(keys.keyOf('lamp', { delta: 5 })).toBe('key-2')
  })

  it('belongs to one variant (N1)', () => {
    const keys = counting()
    expect(keys.keyOf('shirt', { delta: 5, variant: 's' })).toBe('key-1')
    expect(keys.keyOf('shirt', { delta: 5, variant: 's' })).toBe('key-1')
    expect(keys.keyOf('shirt', { delta: 5, variant: 'm' })).toBe('key-2')
  })
})

import { describe, expect, it } from 'vitest'
import { statementOf } from '../../../core/packets/statement.ts'

describe('a statement', () => {
  it('is newest first, with the balance of each currency after each movement (N5)', () => {
    const lines = statementOf([
      { kind: 'payout', at: 3, amount: -150, currency: 'EUR' },
      { kind: 'credit', at: 2, amount: 50, currency: 'EUR' },
      { kind: 'credit', at: 1, amount: 100, currency: 'EUR' },
      { kind: 'credit', at: 2, amount: 7, currency: 'JPY' },
      { kind: 'returned', at: 4, amount: 150, currency: 'EUR' },
    ])
    expect(lines.map(({ at, currency, balance }) => [at, currency, balance])).toEqual([
      [4, 'EUR', 150],
      [3, 'EUR', 0],
      [2, 'JPY', 7],
      [2, 'EUR', 150],
      [1, 'EUR', 100],
    ])
  })

  it('never shows less than nothing for movements of one moment', () => {
    const at = 5
    const lines = statementOf([
      { kind: 'returned', at, amount: 100, currency: 'EUR' },
      { kind: 'payout', at, amount: -100, currency: 'EUR' },
      { kind: 'credit', at, amount: 100, currency: 'EUR' },
    ])
    expect(lines.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['returned', 100],
      ['payout', 0],
      ['credit', 100],
    ])
  })
})

/** A file of entries for the block list. */
import { describe, expect, it } from 'vitest'
import { readBlockFile } from '../../../core/gate/block-file.ts'

const now = Date.UTC(2026, 10, 20)
const read = (text: string) => readBlockFile(new TextEncoder().encode(text), now)

describe('a file of blocks', () => {
  it('has entries in their canonical form, with reason and end', () => {
    expect(
      read('Value,KIND,reason,until,note\n10.1.2.3/16,IP,"Bots, many",2026-11-21T08:00+08:00,x\nann,shopper,,,\n'),
    ).toEqual({
      ok: true,
      ignored: ['note'],
      refused: [],
      entries: [
        { kind: 'ip', value: '10.1.0.0/16', reason: 'Bots, many', until: Date.UTC(2026, 10, 21) },
        { kind: 'shopper', value: 'ann' },
      ],
    })
  })

  it('names each line that cannot be imported', () => {
    const lines = [
      'planet,earth,,',
      'ip,10.0.0.0/7,,',
      'ip,10.0.0.1,,',
      'ip,10.0.0.1/32,,',
      `shopper,ann,${'x'.repeat(101)},`,
      'shopper,ben,,2026-11-21T08:00',
      'shopper,cem,,2026-11-19T08:00Z',
      'shopper,dee,,2027-02-30T08:00Z',
    ]
    const file = read(['kind,value,reason,until', ...lines].join('\n'))
    expect(file.ok && file.refused.map(({ line, code }) => [line, code])).toEqual([
      [2, 'invalid'],
      [3, 'wide'],
      [5, 'duplicate'],
      [6, 'reason'],
      [7, 'until'],
      [8, 'until'],
      [9, 'until'],
    ])
    expect(file.ok && file.entries).toHaveLength(1)
  })

  it('without a needed column is refused whole', () => {
    expect(read('kind\nip\n')).toEqual({ ok: false, fault: { kind: 'missing-column', column: 'value' } })
  })
})

/** The inputs of the example of a split (P1). */
import { describe, expect, it } from 'vitest'
import { wavesIn } from '../../../console/form/split-preview.tsx'
import type { Row } from '../../../console/parts/text-parts.ts'
import { maxPackets } from '../../../core/packets/packets.ts'
import { blueBowl, entering } from '../blue-bowl.ts'

const rain = entering(blueBowl, {
  ...{ kind: 'red-packet', currency: 'EUR', 'packets.count': '1000', 'packets.totalAmount': '5000.00' },
})
const first: Row = { startsAt: '2026-11-21T09:00', endsAt: '2026-11-21T10:00', stock: '300', totalAmount: '1500' }
const second: Row = { startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '200', totalAmount: '400.5' }

describe('what an example of the split is drawn from', () => {
  it('is the packets of the sale, or those of each wave', () => {
    expect(wavesIn(rain)).toEqual({ waves: [{ count: 1000, totalAmount: 500_000 }], short: [] })
    expect(wavesIn(entering(rain, { windows: [first, second] }))).toEqual({
      short: [],
      waves: [
        { count: 300, totalAmount: 150_000 },
        { count: 200, totalAmount: 40_050 },
      ],
    })
  })

  it('is nothing where a total is too small, and says which', () => {
    expect(wavesIn(entering(rain, { 'packets.totalAmount': '9.99' }))).toEqual({
      waves: [],
      short: ['packets.totalAmount'],
    })
    expect(wavesIn(entering(rain, { windows: [first, { ...second, totalAmount: '1' }] }))).toEqual({
      waves: [],
      short: ['windows.1.totalAmount'],
    })
  })

  it.each<[string, Record<string, string>]>([
    ['nothing is typed yet', { 'packets.totalAmount': '' }],
    ['there are no packets', { 'packets.count': '0' }],
    ['the currency does not exist', { currency: 'XQX' }],
    ['they are more than a sale can have', { 'packets.count': String(maxPackets + 1), 'packets.totalAmount': '99999' }],
    ['it is more money than a sale can hold', { 'packets.totalAmount': '100000000000' }],
  ])('is nothing while %s', (_name, change) => {
    expect(wavesIn(entering(rain, change))).toEqual({ waves: [], short: [] })
  })
})

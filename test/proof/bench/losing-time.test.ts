import { describe, expect, it } from 'vitest'
import { losingTime } from '../../../proof/bench/processor-time.ts'

const edge = { preGate: { calls: 1000, timed: 1000, us: 2000 }, gate: { calls: 1000, timed: 500, us: 5000 } }
const before = new Map([
  ['functions', 1000],
  ['Redis', 50],
])
const after = new Map([
  ['functions', 1003],
  ['Redis', 51],
  ['crowd', 900],
  ['DynamoDB', 70],
])

describe('the processor time of a losing request', () => {
  it('has the edge by its counters and the rest by process, without load and emulation', () => {
    expect(losingTime(edge, { before, after }, 1000)).toEqual({
      parts: [
        ['pre-gate', 2],
        // 1,000 calls, of which 500 were timed with 10 µs each.
        ['gate', 10],
        ['functions', 3],
        ['Redis', 1],
      ],
      totalUs: 16,
    })
  })
})

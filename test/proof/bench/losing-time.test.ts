import { describe, expect, it } from 'vitest'
import { losingTime, losingTimeText } from '../../../proof/bench/processor-time.ts'

const none = { calls: 0, timed: 0, us: 0 }
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

  it('has only the edge of a system that another process runs', () => {
    const remote = { before, after: new Map([['front', 10]]) }
    expect(losingTimeText(losingTime(edge, remote, 1000))).toBe('12.0 µs: pre-gate 2.0, gate 10.0')
  })

  it('is nothing where nothing was measured', () => {
    const idle = { before: new Map<string, number>(), after: new Map<string, number>() }
    expect(losingTime({ preGate: none, gate: none }, idle, 0).totalUs).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { losingTime, losingTimeText } from '../../../proof/bench/losing-time.ts'

const none = { calls: 0, timed: 0, us: 0 }
const before = {
  edge: { preGate: none, gate: { calls: 100, timed: 100, us: 5000 } },
  processors: new Map([
    ['functions', 1000],
    ['Redis', 50],
  ]),
}
const after = {
  edge: { preGate: { calls: 1000, timed: 1000, us: 2000 }, gate: { calls: 1100, timed: 600, us: 10_000 } },
  processors: new Map([
    ['functions', 1003],
    ['Redis', 51],
    ['crowd', 900],
    ['DynamoDB', 70],
  ]),
}

describe('the processor time of a losing request', () => {
  it('has the edge by its counters and the rest by process, without load and emulation', () => {
    expect(losingTime(before, after, 1000)).toEqual({
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
    const remote = { ...after, processors: new Map([['front', 10]]) }
    expect(losingTimeText(losingTime(before, remote, 1000))).toBe('12.0 µs: pre-gate 2.0, gate 10.0')
  })

  it('is nothing where nothing was measured', () => {
    const idle = { edge: { preGate: none, gate: none }, processors: new Map<string, number>() }
    expect(losingTime(idle, idle, 0).totalUs).toBe(0)
  })
})

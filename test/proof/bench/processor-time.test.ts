import { describe, expect, it } from 'vitest'
import { addTimes, costLines, costPerOrder, loadOfOthers, readLoad } from '../../../proof/bench/processor-time.ts'

const nothing = { deployed: {}, emulated: 0, other: 0 }

describe('the processor time of an order', () => {
  const before = new Map([['workers', 100]])
  const after = new Map([
    ['front', 300],
    ['functions', 200],
    ['workers', 300],
    ['DynamoDB', 400],
    ['Redis', 50],
  ])
  const samples = {
    front: { deployed: { edge: 30 }, emulated: 20, other: 10 },
    functions: { deployed: { reserve: 50, orders: 25 }, emulated: 25, other: 0 },
    workers: { deployed: { 'write-orders': 15, reconcile: 1 }, emulated: 4, other: 0 },
  }

  it('has apart what an order passes, what runs beside it, and what costs nothing in the cloud', () => {
    expect(costPerOrder(addTimes([{ before, after }]), 1000, samples)).toEqual({
      deployed: [
        ['gate', 150],
        ['writer', 150],
        ['reserve', 100],
      ],
      beside: [
        ['orders', 50],
        ['reconcile', 10],
      ],
      emulated: [
        ['DynamoDB', 400],
        ['front', 100],
        ['function URLs', 50],
        ['event source', 40],
      ],
      redis: 50,
    })
  })

  it('is a total and its parts in each line, the largest first', () => {
    const [deployed] = costLines(costPerOrder(addTimes([{ before, after }]), 1000, samples))
    expect(deployed).toMatchObject({ value: '400: gate 150, writer 150, reserve 100' })
  })

  it('is nothing for a process that did nothing', () => {
    const idle = { front: nothing, functions: nothing, workers: nothing }
    expect(costPerOrder(new Map(), 1000, idle)).toEqual({ deployed: [], beside: [], emulated: [], redis: 0 })
  })
})

describe('the load of other programs', () => {
  it('is what all used without us, in processors', () => {
    const before = { at: 1000, all: 50_000, own: 7000 }
    expect(loadOfOthers(before, { at: 3000, all: 53_000, own: 9500 })).toBe(0.25)
  })

  it('is never less than nothing, as ticks are rounded', () => {
    const before = { at: 1000, all: 50_000, own: 7000 }
    expect(loadOfOthers(before, { at: 2000, all: 51_000, own: 8010 })).toBe(0)
  })

  it('counts the work of this process as its own', () => {
    const before = readLoad()
    for (const until = process.cpuUsage().user + 200_000; process.cpuUsage().user < until; );
    const after = readLoad()
    expect((after?.own ?? 0) - (before?.own ?? 0)).toBeGreaterThanOrEqual(150)
  })
})

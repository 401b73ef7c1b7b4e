import { describe, expect, it } from 'vitest'
import { costLines, costPerOrder } from '../../../proof/bench/processor-time.ts'

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
    expect(costPerOrder(before, after, 1000, samples)).toEqual({
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
      rest: [['Redis', 50]],
    })
  })

  it('is a total and its parts in each line, the largest first', () => {
    const [deployed] = costLines(costPerOrder(before, after, 1000, samples))
    expect(deployed).toMatchObject({ value: '400: gate 150, writer 150, reserve 100' })
  })

  it('is nothing for a process that did nothing', () => {
    const idle = { front: nothing, functions: nothing, workers: nothing }
    expect(costPerOrder(new Map(), new Map(), 1000, idle)).toEqual({
      deployed: [],
      beside: [],
      emulated: [],
      rest: [],
    })
  })
})

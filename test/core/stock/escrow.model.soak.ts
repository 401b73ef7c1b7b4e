import { describe, expect, it } from 'vitest'
import { seedOf } from '../../../proof/simulation/engine/random.ts'
import { playSale } from './escrow-model.ts'
import { drawScenario } from './escrow-scenario.ts'

/** Simulated sales by number of shards; a sale of many shards takes longer. */
const sales = new Map([
  [1, 10_000],
  [2, 10_000],
  [4, 12_000],
  [16, 7000],
  [64, 1000],
])

describe('40,000 sales of a stock that is split', () => {
  it.each([...sales])('over %i shards end exactly, and never sell out too early (S15, I1, I4)', (shardCount, count) => {
    let [sold, shortAnswers] = [0, 0]
    for (let sale = 0; sale < count; sale += 1) {
      const ending = playSale(drawScenario(seedOf(1000 + shardCount, sale), shardCount))
      sold += ending.sold
      shortAnswers += ending.shortAnswers
    }
    expect(sold).toBeGreaterThan(count)
    expect(shortAnswers).toBeGreaterThan(count)
  })
})

import { describe, it } from 'vitest'
import { seedOf } from '../../../proof/simulation/engine/random.ts'
import { playSale } from './escrow-model.ts'
import { drawScenario, type Scenario } from './escrow-scenario.ts'

/** How many sales of each number of shards are played here; `escrow.model.soak.ts` plays more. */
const sales = new Map([
  [1, 200],
  [2, 500],
  [4, 500],
  [16, 150],
  [64, 20],
])

/** Nearly every order is cancelled, so that units come back to a shard between two looks at it. */
const refilled: Partial<Scenario> = {
  ...{ stock: 6, maxPerOrder: 4, skew: 0, demand: 20 },
  ...{ atOnce: 30, cancels: 1, faults: 0, variants: 1 },
}

describe('a stock that is split', () => {
  it.each([...sales])(
    'over %i shards ends exactly, with crashes, late calls and losses (S15, I1, I4)',
    (shardCount, count) => {
      for (let sale = 0; sale < count; sale += 1) playSale(drawScenario(seedOf(shardCount, sale), shardCount))
    },
  )

  it('is called sold out only where no unit came back between two looks at the shards (S15)', () => {
    for (let sale = 0; sale < 150; sale += 1)
      playSale({ ...drawScenario(seedOf(9, sale), 2 + (sale % 3)), ...refilled })
  })

  const small: Scenario = {
    ...{ seed: 5, shardCount: 2, stock: 14, dealt: 0.4, maxPerOrder: 3, skew: 90, demand: 1.2 },
    ...{ atOnce: 2, cancels: 0, faults: 0, variants: 1 },
  }
  const both = [small, { ...small, variants: 2 }]

  it('survives a crash before and after every step of a sale (I5)', () => {
    for (const scenario of both) {
      const { steps } = playSale(scenario)
      for (let crashAt = 0; crashAt < steps; crashAt += 1) playSale({ ...scenario, crashAt })
    }
  })

  it('survives a crash before and after every step of the recovery of a shard (I5, P10)', () => {
    const loseAt = 60
    for (const scenario of both) {
      const { steps } = playSale({ ...scenario, loseAt })
      for (let crashAt = loseAt; crashAt < steps; crashAt += 1) playSale({ ...scenario, loseAt, crashAt })
    }
  })

  it('survives the loss of a shard at every step of a sale (I5, P10)', () => {
    for (const scenario of both) {
      const { steps } = playSale(scenario)
      for (let loseAt = 0; loseAt < steps; loseAt += 1) playSale({ ...scenario, loseAt })
    }
  })

  it('needs only the bounded number of messages when requests come one after another', () => {
    for (const shardCount of [2, 4, 16]) {
      for (const skew of [0, 90, 100]) {
        for (const [maxPerOrder, variants] of [
          [1, 1],
          [5, 1],
          [5, 3],
        ] as const) {
          const stock = 60 * shardCount
          playSale({
            ...{ seed: 3, shardCount, stock, dealt: 0.4, maxPerOrder, skew },
            ...{ demand: 1.2, atOnce: 1, cancels: 0, faults: 0, variants },
          })
        }
      }
    }
  })
})

import { describe, it } from 'vitest'
import { seedOf } from '../../../proof/simulation/engine/random.ts'
import { playSale, Violation } from './escrow-model.ts'
import { escrowMutations } from './escrow-mutations.ts'
import { drawScenario, ourRules, type Rules, type Scenario } from './escrow-scenario.ts'

/** How many sales of each number of shards are played here; `escrow.model.soak.ts` plays more. */
const sales = new Map([
  [1, 200],
  [2, 500],
  [4, 500],
  [16, 150],
  [64, 20],
])

/** Sales that are searched for one that shows a defect. */
const enough = 3000

describe('a stock that is split', () => {
  it.each([...sales])(
    'over %i shards ends exactly, with crashes, late calls and losses (S15, I1, I4)',
    (shardCount, count) => {
      for (let sale = 0; sale < count; sale += 1) playSale(drawScenario(seedOf(shardCount, sale), shardCount))
    },
  )

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

describe('the model of a split stock detects a program that', () => {
  it.each(escrowMutations.map((mutation) => [mutation.name, mutation] as const))('%s', (_name, mutation) => {
    for (let sale = 0; sale < enough; sale += 1) {
      const scenario = { ...drawScenario(seedOf(9, sale), 2 + (sale % 3)), ...mutation.scenario }
      if (isDetected(scenario, mutation.rules)) {
        playSale(scenario)
        return
      }
    }
    throw new Error(`no violation in ${enough} sales`)
  })
})

function isDetected(scenario: Scenario, rules: Partial<Rules>): boolean {
  try {
    playSale(scenario, { ...ourRules, ...rules })
    return false
  } catch (error) {
    if (error instanceof Violation) return true
    throw error
  }
}

/** Small sales with faults at every step; `npm run faults` runs many more. */
import { afterAll, describe, expect, it } from 'vitest'
import { saleKinds } from '../../../core/sale/kinds.ts'
import { stepFaults } from '../../../proof/simulation/engine/faults.ts'
import { startRealRedis } from '../../../proof/simulation/parts/redis.ts'
import { faultCount } from '../../../proof/simulation/report.ts'
import { simulateSale } from '../../../proof/simulation/simulate-sale.ts'
import { simulateSales } from '../../../proof/simulation/simulate-sales.ts'

const seed = 20_261
const sales = 40

const redis = await startRealRedis()
afterAll(() => redis.stop())
const run = await simulateSales(redis, { seed, from: 1, to: sales })

describe(`${sales} sales with faults at every step (seed ${seed})`, () => {
  it('keep every reservation, unit, packet and cent (I1 to I6, O3 to O9, P3, P8, K4)', () => {
    const { failed } = run
    const trace =
      failed === undefined ? '' : [`sale ${failed.number}`, ...failed.violations, ...failed.lines.slice(-60)].join('\n')
    expect(trace).toBe('')
    expect(run.simulated).toBe(sales)
  })

  it('see every kind of fault, more than 20 per sale', () => {
    const kinds = new Set([...run.tally.faults.values()].flatMap((counts) => [...counts.keys()]))
    expect([...kinds]).toEqual(expect.arrayContaining([...stepFaults, 'unavailable', 'overtaken', 'lost', 'older']))
    expect(faultCount(run.tally)).toBeGreaterThan(20 * sales)
  })

  it('are of every kind', () => {
    expect([...run.kinds.keys()].sort()).toEqual([...saleKinds].sort())
    expect(run.answered.packets).toBeGreaterThan(sales / 2)
  })

  it('inject faults into every step of an order and of a claim', () => {
    const way = [
      'stock reserve',
      'sqs send',
      'stock hdel:outbox',
      'table transact CAP+ORDERS+BUYER',
      'sqs schedule',
      'table transact ORDERS+CAP+BUYER+RELEASE',
    ]
    const further = ['stock release', 'gate publish-stock', 'provider start', 'wire answer', 'stock hscan:outbox']
    const rain = [
      'table transact CAP+ORDERS+PACKETS',
      'stock packet-counts',
      'stock load-packets',
      'table query WALLET',
    ]
    const hit = [...run.tally.faults].filter(([, counts]) => counts.size > 0).map(([operation]) => operation)
    expect(hit).toEqual(expect.arrayContaining([...way, ...further, ...rain]))
  })

  it('repeat step by step with the same seed', async () => {
    for (const number of [3, 17]) {
      const [once, again] = [await simulateSale(redis, seed, number), await simulateSale(redis, seed, number)]
      expect(again.lines).toEqual(once.lines)
      expect(once.lines.length).toBeGreaterThan(500)
    }
    expect((await simulateSale(redis, seed + 1, 3)).lines).not.toEqual((await simulateSale(redis, seed, 3)).lines)
  })
})

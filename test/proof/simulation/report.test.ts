import { expect, it } from 'vitest'
import { noFaultCounts } from '../../../proof/simulation/engine/trace.ts'
import { faultReport } from '../../../proof/simulation/report.ts'

it('the report of a failed run shows the violations, the steps before, and how to repeat the sale', () => {
  const steps = Array.from({ length: 200 }, (_, at) => `    ${at}.000  writer-1       table write → written`)
  const failed = {
    ...{ number: 5, violations: ['too many (I1)'], shards: 2, variants: 0, option: undefined, counts: {} },
    ...{ answered: { orders: 3, packets: 0 }, excused: 0, restAfterMinutes: 1, tally: noFaultCounts() },
    lines: [...steps.slice(0, 150), '   150.000  !              too many (I1)', ...steps.slice(150)],
    kind: 'coupon' as const,
  }
  const run = {
    ...{ seed: 7, simulated: 9, kinds: new Map(), split: 3, varied: 2, counts: new Map(), tally: noFaultCounts() },
    ...{ answered: failed.answered, excused: 2, restAfterMinutes: 12 },
  }
  const text = faultReport({ ...run, failed }, 4.2)
  expect(text).toMatch(/^An invariant was broken in sale 5 of seed 7, after 8 sales .*:\n {2}too many \(I1\)\n/)
  expect(text).toContain('149.000')
  expect(text).not.toContain('151.000')
  expect(text).toMatch(/again: npm run faults -- --seed 7 --kind coupon --split --only 5$/)
  const varied = { ...failed, kind: 'goods' as const, shards: 1, variants: 3 }
  expect(faultReport({ ...run, failed: varied }, 4.2)).toMatch(/--kind goods --variants --only 5$/)
  const ofOption = { ...varied, option: 'raffle' }
  expect(faultReport({ ...run, failed: ofOption }, 4.2)).toMatch(/--kind goods --raffle --only 5$/)
})

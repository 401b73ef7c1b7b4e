import { describe, expect, it } from 'vitest'
import type { FaultKind } from '../../../proof/simulation/engine/faults.ts'
import { noFaultCounts } from '../../../proof/simulation/engine/trace.ts'
import { faultCount, faultReport } from '../../../proof/simulation/report.ts'
import type { SimulationRun } from '../../../proof/simulation/simulate-sales.ts'

const tally = {
  steps: new Map([['table write', 1200]]),
  faults: new Map([
    [
      'table write',
      new Map<FaultKind, number>([
        ['twice', 3],
        ['overtaken', 900],
        ['busy', 4],
      ]),
    ],
  ]),
}
const run: SimulationRun = {
  seed: 7,
  simulated: 9,
  kinds: new Map([
    ['goods', 7],
    ['red-packet', 2],
  ]),
  split: 3,
  varied: 2,
  counts: new Map(),
  answered: { orders: 50, packets: 12 },
  excused: 2,
  restAfterMinutes: 12,
  tally,
  failed: undefined,
}

describe('the report of a simulation run', () => {
  it('counts faults by kind and by operation, without the order of steps', () => {
    expect(faultCount(tally)).toBe(7)
    expect(faultCount(noFaultCounts())).toBe(0)
    const text = faultReport(run, 4.2)
    expect(text).toMatch(/^seed +7$/m)
    expect(text).toMatch(/^table write +1,200 +busy 4, twice 3$/m)
    expect(text).toMatch(/^of which +7 goods, 2 red-packet$/m)
    expect(text).toMatch(/^split +3 over 2 to 4 shards$/m)
    expect(text).toMatch(/^variants +2 with 2 to 5$/m)
    expect(text).toMatch(/^packets claimed +12$/m)
    expect(text).toMatch(/^lost with Redis +2 /m)
    expect(text).toContain('every invariant held')
  })

  it('shows the violations of a failed sale, the steps before, and how to repeat it', () => {
    const steps = Array.from({ length: 200 }, (_, at) => `    ${at}.000  writer-1       table write → written`)
    const lines = [...steps.slice(0, 150), '   150.000  !              too many (I1)', ...steps.slice(150)]
    const failed = {
      number: 5,
      violations: ['too many (I1)'],
      lines,
      tally,
      kind: 'coupon' as const,
      shards: 2,
      variants: 0,
      option: undefined,
      counts: {},
      answered: { orders: 3, packets: 0 },
      excused: 0,
      restAfterMinutes: 1,
    }
    const text = faultReport({ ...run, failed }, 4.2)
    expect(text).toMatch(
      /^An invariant was broken in sale 5 of seed 7, after \d+ sales in which all held:\n {2}too many \(I1\)\n/,
    )
    expect(text).toContain('149.000')
    expect(text).not.toContain('151.000')
    expect(text).toMatch(/again: npm run faults -- --seed 7 --kind coupon --split --only 5$/)
    expect(text).not.toContain('every invariant held')
    const varied = { ...failed, kind: 'goods' as const, shards: 1, variants: 3 }
    expect(faultReport({ ...run, failed: varied }, 4.2)).toMatch(/--kind goods --variants --only 5$/)
    const ofOption = { ...varied, option: 'raffle' }
    expect(faultReport({ ...run, failed: ofOption }, 4.2)).toMatch(/--kind goods --raffle --only 5$/)
  })
})

import { expect, it } from 'vitest'
import { noFaultCounts } from '../../../../proof/simulation/engine/trace.ts'
import { faultReport } from '../../../../proof/simulation/report.ts'

it('the report of a simulation run counts draws and their offers', () => {
  const run = { seed: 7, simulated: 9, kinds: new Map(), split: 3, varied: 2, excused: 2, restAfterMinutes: 12 }
  const none = { answered: { orders: 0, packets: 0 }, tally: noFaultCounts(), failed: undefined }
  const report = faultReport({ ...run, ...none, counts: new Map([['draw', { decided: 2, offers: 5 }]]) }, 4.2)
  expect(report).toMatch(/^draws +2 with 5 offers$/m)
  expect(report).toMatch(/^draws +what is published and every receipt agree/m)
})

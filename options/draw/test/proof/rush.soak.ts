/** A rush whose units are drawn, through the whole system. */
import { expect, it } from 'vitest'
import { runRush } from '../../../../proof/rush/run-rush.ts'
import { calm, openRushedSystem } from '../../../../test/proof/rush/rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

it('a draw has the traffic of its entries and of reads of its result (L4, L9)', async () => {
  // The draw waits for its offers, which the schedule of the local system makes.
  const options = { ...calm, shoppers: 60, mode: 'draw', patienceMs: 300_000 }
  const { peaks, verdict } = await runRush(system, options)
  expect(verdict).toMatchObject({ sold: 10, violations: [] })
  expect(peaks.map(({ name }) => name)).toEqual(['pages before', 'entries', 'results', 'clicks', 'winners after'])
}, 900_000)

/** The same crowd in front of each way to give units away, through the whole system. */
import { expect, it } from 'vitest'
import { gapOf } from '../../../proof/rush/mode-facts.ts'
import { runAllModes } from '../../../proof/rush/modes.ts'
import { calm, openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

it('a spread and a draw sell as many units as the first clicks, to shoppers near and far (L4, L9, R8)', async () => {
  const results = await runAllModes(system, {
    ...{ ...calm, shoppers: 240, stock: 40, cancels: true },
    // The draw waits for its offers, which the schedule of the local system makes. A holder of one waits longer than several
    // throttles of a shopper who retried too often: the unit is for no other.
    ...{ patienceMs: 300_000, settleMs: 120_000 },
  })
  const exactly = { sold: 40, expected: 40, oversold: 0, lost: 0, stranded: 0, violations: [] }
  const answers = JSON.stringify(results.map(({ mode, answers, gaveUp }) => [mode?.mode, answers, gaveUp]))
  expect(
    results.map(({ verdict }) => verdict),
    answers,
  ).toEqual([exactly, exactly, exactly])
  const facts = results.flatMap(({ mode }) => mode ?? [])
  expect(facts.map(({ mode }) => mode)).toEqual(['first-come', 'spread', 'draw'])
  for (const { byTrip, byBot } of facts) {
    for (const shares of [byTrip, byBot]) {
      expect(shares.reduce((sum, { won }) => sum + won, 0)).toBe(40)
      expect(shares.reduce((sum, { shoppers }) => sum + shoppers, 0)).toBe(240)
    }
  }
  // All units of the first clicks go to the third of the crowd that is near.
  const [first = 0, spread = 0, draw = 0] = facts.map(({ byTrip }) => gapOf(byTrip))
  expect(spread).toBeLessThan(first)
  expect(draw).toBeLessThan(first)
  // Both traffic peaks, and what came before and after them (L4).
  const peaks = ['pages before', 'clicks', 'winners after', 'cancelled orders']
  expect(results.map((result) => result.peaks.map(({ name }) => name))).toEqual([
    ...[peaks, peaks],
    ['pages before', 'entries', 'results', ...peaks.slice(1)],
  ])
}, 900_000)

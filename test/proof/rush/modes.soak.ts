/** Runs the same crowd in each mode, through the whole system. */
import { expect, it } from 'vitest'
import { gapOf } from '../../../proof/rush/mode-facts.ts'
import { runAllModes } from '../../../proof/rush/modes.ts'
import { modes, optionModes } from '../../../proof/rush/option-modes.ts'
import { calm, openRushedSystem } from './rushed-system.ts'

const system = await openRushedSystem({ databases: 1 })

it('each mode sells as many units as the first clicks, to shoppers near and far (L4, L9, R8)', async () => {
  const results = await runAllModes(system, {
    ...{ ...calm, shoppers: 240, stock: 40, cancels: true },
    // A shopper for whom a unit is kept waits longer than several throttles of a shopper who retried too often.
    ...{ patienceMs: 300_000, settleMs: 120_000 },
  })
  const exactly = { sold: 40, expected: 40, oversold: 0, lost: 0, stranded: 0, violations: [] }
  const answers = JSON.stringify(results.map(({ mode, answers, gaveUp }) => [mode?.mode, answers, gaveUp]))
  expect(
    results.map(({ verdict }) => verdict),
    answers,
  ).toEqual(modes.map(() => exactly))
  const facts = results.flatMap(({ mode }) => mode ?? [])
  expect(facts.map(({ mode }) => mode)).toEqual(modes)
  for (const { byTrip, byBot } of facts) {
    for (const shares of [byTrip, byBot]) {
      expect(shares.reduce((sum, { won }) => sum + won, 0)).toBe(40)
      expect(shares.reduce((sum, { shoppers }) => sum + shoppers, 0)).toBe(240)
    }
  }
  // All units of the first clicks go to the third of the crowd that is near.
  const [first = 0, ...others] = facts.map(({ byTrip }) => gapOf(byTrip))
  for (const gap of others) expect(gap).toBeLessThan(first)
  // Both traffic peaks, and what came before and after them (L4).
  const peaks = ['pages before', 'clicks', 'winners after', 'cancelled orders']
  const played = results.map((result) => result.peaks.map(({ name }) => name))
  expect(played.slice(0, 2)).toEqual([peaks, peaks])
  expect(played.slice(2)).toEqual(optionModes.map(() => expect.arrayContaining(peaks)))
}, 900_000)

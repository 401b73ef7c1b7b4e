/** Compares the demand that the console shows with what the shoppers of a rush were answered. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlClient } from '../../cli/control-client.ts'
import type { Live } from '../../core/api/control-answers.ts'
import { type Try, winCodes } from './shopper.ts'
import { liveIfUp } from './wait-for-rest.ts'

/** Instances send their counts within a second, and the console reads them after that; a busy machine is later. */
const patienceMs = 60_000

/**
 * What differs, after the counts had time to arrive; undefined when an answer was lost or replaced on
 * its way, because the shoppers do not know then what was counted.
 */
export async function miscountedDemand(
  control: ControlClient,
  saleId: string,
  tries: readonly Try[],
): Promise<string[] | undefined> {
  if (tries.some(isDoubtful)) return undefined
  const deadline = performance.now() + patienceMs
  for (;;) {
    const live = await liveIfUp(control, saleId)
    const differences = compareDemand(live?.demand ?? null, tries)
    if (differences.length === 0 || performance.now() > deadline) return differences
    await sleep(250)
  }
}

/** No answer, or one of the distribution in place of a function's. */
const isDoubtful = ({ isCounted, code }: Try) => isCounted === undefined || /^status-5/.test(code)

/** One line for each number of the console that is not the shoppers' own. */
export function compareDemand(demand: Live['demand'], tries: readonly Try[]): string[] {
  const counted = tries.filter(({ isCounted }) => isCounted)
  const own = new Map([...Map.groupBy(counted, ({ code }) => code)].map(([code, some]) => [code, some.length]))
  const won = winCodes.reduce((sum, code) => sum + (own.get(code) ?? 0), 0)
  for (const code of winCodes) own.delete(code)
  const shown = new Map(demand?.refused.map(({ reason, count }) => [reason, count]))
  const rows: (readonly [what: string, shown: number, own: number])[] = [
    ['requests', demand?.asked ?? 0, counted.length],
    ['wins', demand?.won ?? 0, won],
    ...[...new Set([...shown.keys(), ...own.keys()])].map(
      (code) => [code, shown.get(code) ?? 0, own.get(code) ?? 0] as const,
    ),
  ]
  return rows
    .filter(([, there, here]) => there !== here)
    .map(([what, there, here]) => `the console counts ${there} ${what}, the shoppers ${here}`)
}

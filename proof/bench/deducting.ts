/**
 * Ways to deduct from one stock, right or wrong and how fast, with 64 clients at once (S10, S12,
 * S13): in a database, in memory, in Redis, and ours. `docs/deducting.md` explains the result.
 *
 * Clients ask for twice the stock, so the stock must end at 0 with every unit sold once. A right way
 * that has a fault in any round misses its target. A wrong way depends on requests that meet, so it
 * may have none; then that is what the table says.
 */
import { startStep } from '../../cli/progress.ts'
import { startRedis } from '../../local/redis-server.ts'
import { drawRound, type Faults, faultsOf, faultText, wrongUnits } from './deducting/round.ts'
import { openWays, type WayToDeduct } from './deducting/ways.ts'
import type { MeasuredLine, Measurement } from './measurement.ts'
import { median, seededRandom, spelled } from './statistics.ts'

/** `requests` per round and way; `onRound` is called after each round. */
type Options = {
  clients: number
  rounds: number
  requests: number
  seed: number
  onRound?: (done: number) => void
}

const whole = { clients: 64, rounds: 7, requests: 2000, seed: 20_261_121 }

export type WayResult = Pick<WayToDeduct, 'name' | 'isRight'> & {
  rounds: { faults: Faults; perSecond: number }[]
}

export async function measureDeducting(): Promise<Measurement> {
  const step = startStep('deducting', whole.rounds)
  try {
    const { redis, sqlite, results } = await deductAll({ ...whole, onRound: (done) => step.to(done) })
    const name = `deducting (${whole.clients} clients, SQLite ${sqlite}, Redis ${redis})`
    return {
      name,
      heads: ['verdict', 'rounds wrong', 'requests/s', 'worst round'],
      lines: results.map(lineOf),
    }
  } finally {
    step.end()
  }
}

type All = { redis: string; sqlite: string; results: WayResult[] }

/** All ways in turns: each round runs every way, so that other load on the machine affects them alike. */
export async function deductAll({ clients, rounds, requests, seed, onRound }: Options): Promise<All> {
  // Never a shared server: commands of others would be in the times.
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  try {
    const { sqlite, ways, close } = await openWays(server, clients)
    try {
      const results = ways.map(({ name, isRight }): WayResult => ({ name, isRight, rounds: [] }))
      // The first round is not counted: it connects, and its code is not compiled yet.
      for (let round = 0; round <= rounds; round += 1) {
        for (const [at, { demand, play }] of ways.entries()) {
          const asked = drawRound(demand, requests, seededRandom(seed + round))
          const played = await play(asked)
          if (round === 0) continue
          const perSecond = (1000 * requests) / played.wallMs
          results[at]?.rounds.push({ faults: faultsOf(asked, played), perSecond })
        }
        if (round > 0) onRound?.(round)
      }
      return { redis: `${server.kind} ${server.version}`, sqlite, results }
    } finally {
      await close()
    }
  } finally {
    await server.stop()
  }
}

/** The line of one way; only a right one has a target. */
export function lineOf({ name, isRight, rounds }: WayResult): MeasuredLine {
  const wrong = rounds.map(({ faults }) => faults).filter((faults) => wrongUnits(faults) > 0)
  const worst = wrong.toSorted((a, b) => wrongUnits(b) - wrongUnits(a))[0]
  const verdict = worst !== undefined ? 'wrong' : isRight ? 'right' : 'no fault seen'
  const value = [
    verdict,
    `${wrong.length} of ${rounds.length}`,
    spelled(Math.round(median(rounds.map(({ perSecond }) => perSecond)))),
    worst === undefined ? '' : faultText(worst),
  ]
  return { what: name, value, ...(isRight && { target: 'right', met: worst === undefined }) }
}

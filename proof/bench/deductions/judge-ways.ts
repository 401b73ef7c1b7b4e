/**
 * Ways to deduct from one stock, right or wrong and how fast, with 64 clients at once (S10, S12,
 * S13): in a database, in memory, in Redis, and ours. `docs/guide/deducting.md` explains the result.
 *
 * Clients ask for twice the stock, so the stock must end at 0 with every unit sold once. A right way
 * that has a fault in any round misses its target. A wrong way depends on requests that meet, so it
 * may have none; then that is what the table says.
 */
import { startRedis } from '../../../local/redis/redis-server.ts'
import { inTurns, type MeasuredLine, type Rounds } from '../harness.ts'
import { median, seededRandom, spelled } from '../statistics.ts'
import { drawRound, type Faults, faultsOf, faultText, wrongUnits } from './round.ts'
import { openWays, type WayToDeduct } from './ways.ts'

/** `requests` per round and way. */
type Options = Rounds & { clients: number; requests: number; seed: number }

const whole = { clients: 64, rounds: 7, requests: 2000, seed: 20_261_121 }

export type WayResult = Pick<WayToDeduct, 'name' | 'isRight'> & {
  rounds: { faults: Faults; perSecond: number }[]
}

/** A line for each way. */
export async function judgeWays(): Promise<MeasuredLine[]> {
  return (await deductAll({ ...whole, step: 'ways to deduct' })).map(lineOf)
}

export async function deductAll({ clients, requests, seed, ...rounds }: Options): Promise<WayResult[]> {
  // Never a shared server: commands of others would be in the times.
  const server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
  try {
    const { ways, close } = await openWays(server, clients)
    try {
      const played = await inTurns(ways, rounds, async ({ demand, play }, round) => {
        const asked = drawRound(demand, requests, seededRandom(seed + round))
        const end = await play(asked)
        return { faults: faultsOf(asked, end), perSecond: (1000 * requests) / end.wallMs }
      })
      return [...played].map(([{ name, isRight }, rounds]) => ({ name, isRight, rounds }))
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
  const perSecond = spelled(Math.round(median(rounds.map((round) => round.perSecond))))
  const value = `${verdict}, ${perSecond} requests/s${worst === undefined ? '' : `, ${faultText(worst)}`}`
  return { what: name, value, ...(isRight && { target: 'right', met: worst === undefined }) }
}

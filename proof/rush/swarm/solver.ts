/**
 * Challenges as clients fetch and solve them: a real proof of work, which the system under test
 * makes cheap.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Fleet } from '../../bench/fleet/fleet.ts'

type Client = { token: string; address: string }

/** A solved challenge as the page would send it, or undefined when none was given. */
export async function solvedChallenge(
  fleet: Fleet,
  origin: string,
  saleId: string,
  { token, address }: Client,
): Promise<string | undefined> {
  const answer = await fleet.send({
    method: 'POST',
    uri: `/api/sales/${saleId}/challenge`,
    headers: { authorization: `Bearer ${token}`, origin },
    body: '',
    address,
  })
  if (answer.status !== 200) return undefined
  const challenge: Challenge = JSON.parse(answer.body)
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) return undefined
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

/** The time a machine needs for a challenge of the usual cost, ms, spread over its cores. */
const machineMsPerChallenge = 125

/** The solver of one machine: it solves its bots' challenges one after the other. */
export function machineQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(async () => {
      await sleep(machineMsPerChallenge)
      return work()
    })
    last = turn.catch(() => undefined)
    return turn
  }
}

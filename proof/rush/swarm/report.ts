/** The report of a swarm: one line for each setup, and whether the targets were reached. */
import { columns } from '../../../cli/sale/print.ts'
import type { Setup } from './setups.ts'
import type { AnswerTally } from './tally.ts'

/**
 * The result of one setup; `booked` is the number sold in Redis. `redisPerLosingRequest` divides
 * all commands, those of winners and inside scripts included; calls of `reserve` are counted beyond
 * one per win.
 */
export type SetupResult = Omit<AnswerTally, 'note'> & {
  setup: Setup
  stock: number
  booked: number
  load: { redisPerLosingRequest: number; functionsPerLosingRequest: number; answersPerSecond: number }
}

export type SwarmResult = { text: string; isReached: boolean }

/**
 * The share of the stock that people must get with throttle and challenge on, and the largest share
 * of their requests that may be rejected by mistake.
 */
const leastShare = 0.95
const mostFalseRefusals = 0.005

/** Refusals that are meant for bots. */
const meantForBots = [
  'too-many-requests',
  'blocked',
  'challenge-required',
  'challenge-failed',
  'sign-in-required',
  'unknown-sale',
]

export const shareOfPeople = ({ wins, booked }: SetupResult) => (booked === 0 ? 0 : wins.people / booked)

export function falseRefusals({ answersToPeople, requests }: SetupResult): number {
  const refused = meantForBots.reduce((sum, code) => sum + (answersToPeople.get(code) ?? 0), 0)
  return requests.people === 0 ? 0 : refused / requests.people
}

/** True when nothing was oversold, everything sold, and people reached the targets. */
export function isFair(played: SetupResult): boolean {
  const { setup, stock, booked } = played
  const isWhole = booked === stock
  if (!setup.throttle || !setup.challenge) return isWhole
  return isWhole && shareOfPeople(played) >= leastShare && falseRefusals(played) <= mostFalseRefusals
}

export function reportSwarm(
  played: readonly SetupResult[],
  { people, stock, seed }: { people: number; stock: number; seed: number },
): SwarmResult {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const rows = played.map((one) => {
    const bots = Object.entries(one.wins.bots).map(([kind, count]) => `${kind} ${count}`)
    return [
      one.setup.name,
      `${one.booked} of ${one.stock}`,
      percent(shareOfPeople(one)),
      bots.join(', ') || '-',
      percent(falseRefusals(one)),
      one.load.redisPerLosingRequest.toFixed(4),
      one.load.functionsPerLosingRequest.toFixed(4),
      String(Math.round(one.load.answersPerSecond)),
      isFair(one) ? 'met' : 'MISSED',
    ]
  })
  const head = [
    'layers',
    'sold',
    'won by people',
    'won by bots',
    'people refused wrongly',
    'Redis / losing request',
    'calls / losing request',
    'answers/s',
    '',
  ]
  const answers = played.map(({ setup, answers: counted }) => {
    const counts = [...counted].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`)
    return `${setup.name}: ${counts.join(', ')}`
  })
  const targets = `with both layers: ≥ ${percent(leastShare)} won by people, ≤ ${percent(mostFalseRefusals)} refused wrongly`
  const text = [
    '',
    columns(head, rows),
    '',
    ...answers,
    '',
    targets,
    `(${people} people, ${stock} units, seed ${seed})`,
  ]
  return { text: text.join('\n'), isReached: played.every(isFair) }
}

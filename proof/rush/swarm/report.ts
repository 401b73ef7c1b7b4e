/** The report of a swarm: one line for each setup, and whether the targets were reached. */
import { columns } from '../../../cli/sale/print.ts'
import { defaultThrottle } from '../../../core/sale/sale.ts'
import type { Answered } from '../../bench/fleet/fleet.ts'
import { isWin } from './clients.ts'
import type { Bot, BotKind, Person } from './population.ts'

/**
 * The result of one setup; `booked` is the number sold in Redis. `redisPerLosingRequest` divides all commands, those of
 * winners and inside scripts included; calls of `reserve` are counted beyond one per win.
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
    `(${people} people, stock ${stock}, seed ${seed})`,
  ]
  return { text: text.join('\n'), isReached: played.every(isFair) }
}

/** The layers of bot protection, each switched by a setting of the sale. */
export type Setup = { name: string; throttle: boolean; challenge: boolean; spreadSeconds: number }

/** Each layer alone and all together, to show the effect of each. */
export const setups: readonly Setup[] = [
  { name: 'every layer off', throttle: false, challenge: false, spreadSeconds: 0 },
  { name: 'throttle', throttle: true, challenge: false, spreadSeconds: 0 },
  { name: 'challenge', throttle: false, challenge: true, spreadSeconds: 0 },
  { name: 'throttle + challenge', throttle: true, challenge: true, spreadSeconds: 0 },
  { name: 'throttle + challenge + spread', throttle: true, challenge: true, spreadSeconds: 10 },
]

/** A throttle that is never reached. */
const open = { perShopper: { limit: 1000, windowSeconds: 1 }, perIp: { limit: 1_000_000, windowSeconds: 1 } }

/** The settings of a sale for a setup. */
export function setupSettings({ throttle, challenge, spreadSeconds }: Setup) {
  return {
    throttle: throttle ? defaultThrottle : open,
    challenge: challenge ? ('pow' as const) : ('off' as const),
    spreadSeconds,
  }
}

/** Counts the answers of one setup. */
export type AnswerTally = {
  note(who: Person | Bot, answer: Answered): void
  wins: { people: number; bots: Partial<Record<BotKind, number>> }
  requests: { people: number; bots: number; losing: number }
  /** Answers by their code, in total and to people alone. */
  answers: Map<string, number>
  answersToPeople: Map<string, number>
}

export function openTally(): AnswerTally {
  const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const tally: AnswerTally = {
    wins: { people: 0, bots: {} },
    requests: { people: 0, bots: 0, losing: 0 },
    answers: new Map(),
    answersToPeople: new Map(),
    note(who, answer) {
      const { wins, requests } = tally
      const isBot = 'kind' in who
      requests[isBot ? 'bots' : 'people'] += 1
      add(tally.answers, answer.code)
      if (!isBot) add(tally.answersToPeople, answer.code)
      if (!isWin(answer)) requests.losing += 1
      else if (isBot) wins.bots[who.kind] = (wins.bots[who.kind] ?? 0) + 1
      else wins.people += 1
    },
  }
  return tally
}

export function allWins({ wins }: AnswerTally): number {
  return wins.people + Object.values(wins.bots).reduce((sum, count) => sum + count, 0)
}

/** What a swarm showed, for people: one line for each scene, and whether the targets were reached. */
import { columns } from '../../cli/sale/print.ts'
import type { Scene } from './scenes.ts'
import type { Tally } from './tally.ts'

/**
 * One scene; `booked` is what Redis says was sold. `redisPerLosingClick` divides every command, the winners' and those
 * inside scripts included; calls of `reserve` are counted beyond one for each win.
 */
export type Played = Omit<Tally, 'note'> & {
  scene: Scene
  stock: number
  booked: number
  load: { redisPerLosingClick: number; functionsPerLosingClick: number; answersPerSecond: number }
}

export type SwarmResult = { text: string; isReached: boolean }

/** People shall get this share of the stock with throttle and challenge on, and so few of their clicks be refused wrongly. */
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

export const shareOfPeople = ({ wins, booked }: Played) => (booked === 0 ? 0 : wins.people / booked)

export function falseRefusals({ answersToPeople, clicks }: Played): number {
  const refused = meantForBots.reduce((sum, code) => sum + (answersToPeople.get(code) ?? 0), 0)
  return clicks.people === 0 ? 0 : refused / clicks.people
}

/** True when nothing was oversold, everything sold, and people got what the targets say. */
export function isFair(played: Played): boolean {
  const { scene, stock, booked } = played
  const isWhole = booked === stock
  if (!scene.throttle || !scene.challenge) return isWhole
  return isWhole && shareOfPeople(played) >= leastShare && falseRefusals(played) <= mostFalseRefusals
}

export function reportSwarm(
  played: readonly Played[],
  { people, stock, seed }: { people: number; stock: number; seed: number },
): SwarmResult {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  const rows = played.map((one) => {
    const bots = Object.entries(one.wins.bots).map(([kind, count]) => `${kind} ${count}`)
    return [
      one.scene.name,
      `${one.booked} of ${one.stock}`,
      percent(shareOfPeople(one)),
      bots.join(', ') || '-',
      percent(falseRefusals(one)),
      one.load.redisPerLosingClick.toFixed(4),
      one.load.functionsPerLosingClick.toFixed(4),
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
    'Redis / losing click',
    'calls / losing click',
    'answers/s',
    '',
  ]
  const answers = played.map(({ scene, answers: told }) => {
    const counts = [...told].sort(([, a], [, b]) => b - a).map(([code, count]) => `${code} ${count}`)
    return `${scene.name}: ${counts.join(', ')}`
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

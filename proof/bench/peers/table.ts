/** Builds the table of the comparison: medians of the completed rounds, and the failures of each lane. */
import { atLeast, exactly, type MeasuredLine, type Measurement } from '../harness.ts'
import type { LoadResult } from '../load/clicks.ts'
import { addTimes, type ProcessorTime, type TimeReadings } from '../processor-time.ts'
import { formatCount, median } from '../statistics.ts'
import type { MeasuredSystem } from './measured-system.ts'

const [targetDurable, targetSoldOut, targetAccepted] = [3, 1.5, 3000]

/**
 * `writtenMs` is the time from the first click until the last order is in the database; `durable` is 0 where orders
 * stay in Redis.
 */
export type PeerRound = TimeReadings & {
  accepted: number
  durable: number
  soldOut: number
  writtenMs: number
  answer: Pick<LoadResult, 'p50Ms' | 'p99Ms'>
}

/** `when` names the round; `why` has no full stop. */
export type PeerFailure = { when: string; why: string }

/** The rounds that count, in order; undefined where the lane failed. */
export type PlayedLane = {
  system: Pick<MeasuredSystem, 'name'>
  rounds: readonly (PeerRound | undefined)[]
  failures: readonly PeerFailure[]
}

/** Returns the medians of all lanes, and the targets against the projects that were measured. */
export function summary(orders: number, lanes: readonly PlayedLane[]): Measurement {
  const each = (what: string, show: (ended: readonly PeerRound[]) => string) => ({
    what,
    value: lanes.map((lane) => {
      const ended = endedOf(lane)
      return ended.length === 0 ? nothing : show(ended)
    }),
  })
  const rate = (ended: readonly PeerRound[], read: (round: PeerRound) => number) =>
    formatCount(Math.round(median(ended.map(read))))
  const usOf = (ended: readonly PeerRound[]) => (1000 * processorMs(addTimes(ended))) / (ended.length * orders)
  return {
    name: `peers, ${formatCount(orders)} orders`,
    headings: lanes.map(({ system: { name } }) => name),
    lines: [
      ...targets(lanes),
      ...roundsThatEnded(lanes),
      each('orders accepted/s', (ended) => rate(ended, ({ accepted }) => accepted)),
      each('orders in the database/s', (ended) => rate(ended, ({ durable }) => durable)),
      each('answers to losing clicks/s', (ended) => rate(ended, ({ soldOut }) => soldOut)),
      each('processor time of an order, µs', (ended) => usOf(ended).toFixed(0)),
      each('answer to a buyer, p50 / p99 ms', (ended) => {
        const show = (which: 'p50Ms' | 'p99Ms') => median(ended.map(({ answer }) => answer[which]))
        return `${show('p50Ms')} / ${show('p99Ms')}`
      }),
      ...lanes.flatMap(failureLines),
    ],
  }
}

/** Printed for a lane without a completed round. */
const nothing = '–'

const endedOf = ({ rounds }: PlayedLane): PeerRound[] => rounds.filter((round) => round !== undefined)

/** Adds up the time of all parts. */
const processorMs = (time: ProcessorTime): number => [...time.values()].reduce((total, ms) => total + ms, 0)

/** Returns the targets. The lanes of Sluice come first; targets apply to the one that answers one request at a time. */
function targets(lanes: readonly PlayedLane[]): MeasuredLine[] {
  const ours = lanes.slice(0, 2)
  const ratioTo = (name: string, what: string, read: (round: PeerRound) => number, min: number) => {
    const theirs = lanes.find(({ system }) => system.name === name)
    if (theirs === undefined) return []
    const ratios = ours.map((lane) => medianIfAny(ratiosOf(lane, theirs, read)))
    const value = ratios.map((ratio) => shown(ratio, 2))
    return [atLeast(`${what}, Sluice ÷ ${name}`, ratios[0] ?? Number.NaN, min, { value })]
  }
  const accepted = ours.map((lane) => medianIfAny(endedOf(lane).map((round) => round.accepted)))
  return [
    ...ratioTo('LUG', 'orders in the database/s', ({ durable }) => durable, targetDurable),
    ...ratioTo('JIM tuned', 'answers to losing clicks/s', ({ soldOut }) => soldOut, targetSoldOut),
    atLeast('orders accepted/s, Sluice with admission open', accepted[0] ?? Number.NaN, targetAccepted, {
      value: accepted.map((rate) => shown(rate, 0)),
    }),
  ]
}

/** Returns the ratio in each round that both completed: other load on the machine affects both equally. */
const ratiosOf = (ours: PlayedLane, theirs: PlayedLane, read: (round: PeerRound) => number): number[] =>
  ours.rounds.flatMap((round, at) => {
    const other = theirs.rounds[at]
    return round === undefined || other === undefined ? [] : [read(round) / read(other)]
  })

const medianIfAny = (values: readonly number[]) => (values.length === 0 ? Number.NaN : median(values))

const shown = (value: number, digits: number) => (Number.isNaN(value) ? nothing : value.toFixed(digits))

function roundsThatEnded(lanes: readonly PlayedLane[]): MeasuredLine[] {
  const ended = lanes.map((lane) => endedOf(lane).length)
  const rounds = Math.max(...lanes.map((lane) => lane.rounds.length))
  const line = exactly('rounds that ended, of which the others are medians', Math.min(...ended), rounds, {
    value: ended.map(String),
    target: `${rounds} each`,
  })
  return [line]
}

/** Lists each reason once, with its rounds. */
function failureLines({ system: { name }, failures }: PlayedLane): MeasuredLine[] {
  if (failures.length === 0) return []
  const reasons = Map.groupBy(failures, ({ why }) => why)
  const texts = Array.from(reasons, ([why, all]) => `${why} (${all.map(({ when }) => when).join(', ')})`)
  return [{ what: `${name} failed`, value: `${failures.length} times: ${texts.join('; ')}` }]
}

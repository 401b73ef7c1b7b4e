/**
 * What a fast connection wins. All clients know their turn, as pages do, and click at it once; then they
 * come again as they are asked. The bots' clicks take 5 ms, those of people 200 ms.
 */
import { parseShopperId } from '../../../core/ids.ts'
import { shopperHashOf } from '../../../edge/memory/passes.ts'
import { turnMs } from '../../../edge/turn.ts'
import type { AnsweredReservation } from '../../rush/verdict.ts'
import type { MeasuredLine } from '../harness.ts'
import { spelled } from '../statistics.ts'
import { type Agenda, aheadMs, type Clicker } from './clickers.ts'
import { shopperName } from './play.ts'

/** Seconds. */
export const spreads = [0, 10, 60, 300]

/** One of ten is a bot. */
export const latencyClients = 20_000
const isBot = (number: number) => number % 10 === 0
const bots = latencyClients / 10
const botMs = 5
const personMs = 200

export function gatherAtTheirTurn(agenda: Agenda<Clicker>, startToken: string, spreadSeconds: number): void {
  for (let number = 0; number < latencyClients; number += 1) {
    const shopperId = parseShopperId(shopperName({ number }))
    if (shopperId === undefined) throw new TypeError(`shopper ${number} has no id`)
    const latencyMs = isBot(number) ? botMs : personMs
    const at = aheadMs + turnMs(startToken, shopperHashOf(shopperId), spreadSeconds) + latencyMs
    agenda.add(at, { kind: 'shopper', number, left: 0 })
  }
}

/** The share of each that won. */
export type LatencyResult = { spreadSeconds: number; ofBots: number; ofPeople: number }

export function latencyResult(spreadSeconds: number, winners: readonly AnsweredReservation[]): LatencyResult {
  const botNames = new Set(
    Array.from({ length: latencyClients }, (_, number) => number)
      .filter(isBot)
      .map((number) => shopperName({ number })),
  )
  const won = winners.filter(({ shopperId }) => botNames.has(shopperId)).length
  return { spreadSeconds, ofBots: won / bots, ofPeople: (winners.length - won) / (latencyClients - bots) }
}

export function latencyLine({ spreadSeconds, ofBots, ofPeople }: LatencyResult): MeasuredLine {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  return {
    what: `win rate with ${botMs} ms and ${personMs} ms, spread ${spreadSeconds} s, ${spelled(latencyClients)} clients`,
    value: `${percent(ofBots)} and ${percent(ofPeople)}${ofPeople === 0 ? '' : `, ${(ofBots / ofPeople).toFixed(2)} times`}`,
  }
}

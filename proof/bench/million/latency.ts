/**
 * Measures how much a fast connection helps. All clients know their turn, as pages do, and click at it; then they retry
 * as asked. Clicks of bots take 5 ms, clicks of people 200 ms.
 */
import { parseShopperId } from '../../../core/ids.ts'
import { shopperHashOf } from '../../../edge/memory/passes.ts'
import { turnMs } from '../../../edge/turn.ts'
import type { AnsweredReservation } from '../../rush/verdict.ts'
import type { MeasuredLine } from '../harness.ts'
import { formatCount } from '../statistics.ts'
import { type Agenda, aheadMs, type Clicker } from './clickers.ts'
import { shopperName } from './play.ts'

/** Seconds. */
export const spreads = [0, 10, 60, 300]

/** One client in ten is a bot. */
export const latencyClients = 20_000
const isBot = (number: number) => number % 10 === 0
const bots = latencyClients / 10
const botMs = 5
const personMs = 200

export function addClickersAtTurn(agenda: Agenda<Clicker>, startToken: string, spreadSeconds: number): void {
  for (let number = 0; number < latencyClients; number += 1) {
    const shopperId = parseShopperId(shopperName({ number }))
    if (shopperId === undefined) throw new TypeError(`shopper ${number} has no id`)
    const latencyMs = isBot(number) ? botMs : personMs
    const at = aheadMs + turnMs(startToken, shopperHashOf(shopperId), spreadSeconds) + latencyMs
    agenda.add(at, { kind: 'shopper', number, left: 0 })
  }
}

/** The shares of bots and people that won. */
export type LatencyResult = { spreadSeconds: number; botShare: number; peopleShare: number }

export function latencyResult(spreadSeconds: number, winners: readonly AnsweredReservation[]): LatencyResult {
  const botNames = new Set(
    Array.from({ length: latencyClients }, (_, number) => number)
      .filter(isBot)
      .map((number) => shopperName({ number })),
  )
  const won = winners.filter(({ shopperId }) => botNames.has(shopperId)).length
  return { spreadSeconds, botShare: won / bots, peopleShare: (winners.length - won) / (latencyClients - bots) }
}

export function latencyLine({ spreadSeconds, botShare, peopleShare }: LatencyResult): MeasuredLine {
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`
  return {
    what: `win rate with ${botMs} ms and ${personMs} ms, spread ${spreadSeconds} s, ${formatCount(latencyClients)} clients`,
    value: `${percent(botShare)} and ${percent(peopleShare)}${peopleShare === 0 ? '' : `, ${(botShare / peopleShare).toFixed(2)} times`}`,
  }
}

/**
 * Runs a rush for red packets, and reports it. The verdict reads both databases directly, so that no component confirms
 * its own result.
 */

import { counted } from '../../../core/lib/text.ts'
import { formatMoney } from '../../../core/money.ts'
import type { System } from '../../bench/system.ts'
import { currency } from '../open-sale.ts'
import type { RushOptions } from '../options.ts'
import { fullReport, loadFacts, percentilesText, shownFact } from '../report.ts'
import { claimsOf, type WonPacket } from '../requests.ts'
import { type RoundFacts, type RushRound, roundFacts, runRound } from '../run-round.ts'
import { walletView } from '../watch.ts'
import { judgePackets, type PacketVerdict } from './verdict.ts'

export async function runPacketRush(system: System, options: RushOptions): Promise<PacketResult> {
  const { seed, shoppers, stock: packets, totalAmount = 0 } = options
  const round = await runRound(system, options, roundOf(options))
  const { saleId, crowd, after } = round
  const { money, orders } = await system.money(saleId)
  const credited = orders.filter(({ status }) => status === 'fulfilled')
  const verdict = judgePackets({
    ...{ packets, totalAmount, shoppers, ...after },
    snapshot: await system.packetSnapshot(saleId),
    money,
    answered: crowd.winners,
    inDoubt: crowd.inDoubt,
  })
  return { ...roundFacts(round, credited), seed, packets, verdict }
}

function roundOf({ stock, shoppers }: RushOptions): RushRound<WonPacket> {
  return {
    requestOf: claimsOf,
    view: walletView,
    expectedWinners: Math.min(shoppers, stock),
    sellsOut: shoppers >= stock,
  }
}

export type PacketResult = RoundFacts & { seed: number; packets: number; verdict: PacketVerdict }

export function packetRushReport(result: PacketResult): string {
  const { verdict, written, readable, load } = result
  const { money } = verdict
  const show = (amount: number) => formatMoney({ amount, currency }, 'en')
  return fullReport(result, [
    ['claimed', `${verdict.claimed} of ${result.packets} (expected ${verdict.expected})`],
    ['credited', `${verdict.credited}, ${show(money.credited)}`],
    ['money', `${show(money.claimed)} claimed + ${show(money.left)} left, of ${show(money.total)}`],
    ['overpaid', show(verdict.overpaid)],
    ['lost', String(verdict.lost)],
    ['stranded', String(verdict.stranded)],
    ['gave up', String(result.gaveUp)],
    ['unanswered', `${counted(verdict.unanswered, 'credit')} after a lost answer`],
    ['claims', `${Math.round(result.requestsPerSecond)}/s for ${result.seconds.toFixed(1)} s`],
    ['credit written', written === undefined ? '-' : `${percentilesText(written)} after its claim`],
    ['credit visible', shownFact(readable, '200')],
    ...loadFacts(load, 'claim'),
  ])
}

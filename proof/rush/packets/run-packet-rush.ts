/**
 * Runs a rush for red packets, and reports it. The verdict reads both databases directly, so that no component confirms
 * its own result.
 */

import { counted } from '../../../core/lib/text.ts'
import { formatMoney } from '../../../core/money.ts'
import { type Percentiles, percentilesIfAny } from '../../bench/statistics.ts'
import type { System } from '../../bench/system.ts'
import type { Load } from '../load.ts'
import { currency } from '../open-sale.ts'
import type { RushOptions } from '../options.ts'
import { fullReport, loadFacts, percentilesText, shownFact } from '../report.ts'
import { claimsOf, type WonPacket } from '../requests.ts'
import { type CrowdFacts, crowdFacts, type RushRound, runRound, type ShownDelay, shownDelay } from '../run-round.ts'
import { waitForCredits } from '../wait-for-rest.ts'
import { walletView } from '../watch.ts'
import { judgePackets, type PacketVerdict } from './verdict.ts'

export async function runPacketRush(system: System, options: RushOptions): Promise<PacketResult> {
  const { seed, shoppers, stock: packets, totalAmount = 0 } = options
  const { saleId, crowd, seen, peaks, load, after } = await runRound(system, options, roundOf(options))
  const { money, orders } = await system.money(saleId)
  const credited = orders.filter(({ status }) => status === 'fulfilled')
  return {
    saleId,
    seed,
    shoppers,
    packets,
    totalAmount,
    currency,
    verdict: judgePackets({
      ...{ packets, totalAmount, shoppers, ...after },
      snapshot: await system.packetSnapshot(saleId),
      money,
      answered: crowd.winners,
      inDoubt: crowd.inDoubt,
    }),
    ...crowdFacts(crowd, peaks),
    creditedAfter: percentilesIfAny(credited.map(({ reservedAt, writtenAt }) => writtenAt - reservedAt)),
    visible: shownDelay(seen),
    load,
  }
}

function roundOf({ stock, shoppers }: RushOptions): RushRound<WonPacket> {
  return {
    requestOf: claimsOf,
    view: walletView,
    expectedWinners: Math.min(shoppers, stock),
    sellsOut: shoppers >= stock,
    waitForRest: waitForCredits,
  }
}

export type PacketResult = CrowdFacts & {
  saleId: string
  seed: number
  shoppers: number
  packets: number
  totalAmount: number
  currency: string
  verdict: PacketVerdict
  /** Time from the claim to the credit, for every credit. */
  creditedAfter: Percentiles | undefined
  /** Time from the 200 to the credit in the winner's wallet, for a sample of winners. */
  visible: ShownDelay
  load: Load
}

export function packetRushReport(result: PacketResult): string {
  const { verdict, creditedAfter, visible, load, currency } = result
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
    ['credit written', creditedAfter === undefined ? '-' : `${percentilesText(creditedAfter)} after its claim`],
    ['credit visible', shownFact(visible, '200')],
    ...loadFacts(load, 'claim'),
  ])
}

/**
 * A rush for red packets, up to the verdict. The result is read from both databases directly, so
 * that no component is its own witness.
 */
import { percentilesOfAny } from '../../bench/statistics.ts'
import type { System } from '../../bench/system.ts'
import type { PacketRushOptions } from '../options.ts'
import { currency, packetsOf } from '../products.ts'
import { claimsOf, type WonPacket } from '../requests.ts'
import { crowdFacts, type Round, runRound, shownAfter } from '../run-round.ts'
import { waitForCredits } from '../wait-for-rest.ts'
import { walletView } from '../watch.ts'
import type { PacketResult } from './report.ts'
import { judgePackets } from './verdict.ts'

export async function runPacketRush(system: System, options: PacketRushOptions): Promise<PacketResult> {
  const { seed, shoppers, packets, totalAmount } = options
  const { saleId, crowd, seen, peaks, load, after } = await runRound(system, options, roundOf(options))
  const money = await system.money(saleId)
  const credits = money.credits.filter((credit) => credit.saleId === saleId)
  return {
    saleId,
    seed,
    shoppers,
    packets,
    totalAmount,
    currency,
    verdict: judgePackets({
      ...options,
      ...after,
      saleId,
      snapshot: await system.packetSnapshot(saleId),
      money,
      answered: crowd.winners,
      inDoubt: crowd.inDoubt,
    }),
    ...crowdFacts(crowd, peaks),
    creditedAfter: percentilesOfAny(credits.map((c) => c.creditedAt - c.claimedAt)),
    visible: shownAfter(seen),
    load,
  }
}

function roundOf({ packets, totalAmount, shoppers }: PacketRushOptions): Round<WonPacket> {
  return {
    product: packetsOf({ count: packets, totalAmount }),
    requestOf: claimsOf,
    behind: 'claim',
    view: walletView,
    homeOf: 1,
    expectedWinners: Math.min(shoppers, packets),
    sellsOut: shoppers >= packets,
    waitForRest: waitForCredits,
  }
}

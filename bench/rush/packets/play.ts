/**
 * A rush for red packets, up to the verdict. What happened is read from the two databases directly, so that no tier vouches
 * for itself.
 */
import { spreadOfAny } from '../../statistics.ts'
import type { System } from '../../system.ts'
import { costOfClaims } from '../cost.ts'
import type { PacketRushOptions } from '../options.ts'
import { crowdFacts, playRound, type Round, shownAfter, trafficOf } from '../round.ts'
import { settleClaims } from '../settle.ts'
import { currency, packetsOf } from '../wares.ts'
import type { PacketResult } from './report.ts'
import { type PromisedPacket, tap } from './tap.ts'
import { judgePackets } from './verdict.ts'
import { walletSight } from './watch-wallets.ts'

export async function playPacketRush(system: System, options: PacketRushOptions): Promise<PacketResult> {
  const { seed, shoppers, packets, totalAmount } = options
  const { saleId, crowd, seen, load, after } = await playRound(system, options, roundOf(options))
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
      shelf: await system.shelf(saleId),
      money,
      promises: crowd.winners,
      inDoubt: crowd.inDoubt,
    }),
    ...crowdFacts(crowd),
    creditedAfter: spreadOfAny(credits.map((c) => c.creditedAt - c.claimedAt)),
    visible: shownAfter(seen),
    load,
    cost: costOfClaims({ ...trafficOf(crowd, load), claimsCredited: credits.length }),
  }
}

function roundOf({ packets, totalAmount, shoppers }: PacketRushOptions): Round<PromisedPacket> {
  return {
    wares: packetsOf({ count: packets, totalAmount }),
    doorOf: tap,
    behind: 'claim',
    sight: walletSight,
    expectedWinners: Math.min(shoppers, packets),
    sellsOut: shoppers >= packets,
    settle: settleClaims,
  }
}

/**
 * The verdict of a rush for red packets as a pure function: a packet has one owner, a shopper one packet, and the money
 * adds up to the cent in Redis, in the table and in every wallet.
 */
import { counted } from '../../../core/lib/text.ts'
import { firstFew, openFindings, sumAmount } from '../../invariants/findings.ts'
import { findingsAtRest } from '../../invariants/invariants.ts'
import { lostClaims } from '../../invariants/packets.ts'
import type { ObservedSale, PacketSnapshot, PacketsInRedis, PacketsInTable } from '../../invariants/snapshot.ts'
import type { WonPacket } from '../requests.ts'
import { type Aftermath, violationOf } from '../verdict.ts'

/** A claim that was answered with a 200, for the first time or as a repeat. */
export type AnsweredClaim = WonPacket & { shopperId: string }

/** Shoppers `inDoubt` got no packet in an answer but may have one, because an answer was lost. */
export type PacketFacts = Aftermath & {
  packets: number
  totalAmount: number
  shoppers: number
  snapshot: PacketsInRedis
  money: PacketsInTable
  answered: AnsweredClaim[]
  inDoubt: string[]
}

/**
 * Counts of packets, and minor units.
 * - `lost`: claims answered without a credit.
 * - `overpaid`: credited beyond the total amount.
 * - `stranded`: packets that a shopper claimed and that were not credited.
 * - `unanswered`: credits of shoppers whose answer was lost; they find them in their wallets.
 */
export type PacketVerdict = {
  claimed: number
  credited: number
  expected: number
  overpaid: number
  lost: number
  stranded: number
  unanswered: number
  money: { total: number; claimed: number; credited: number; left: number }
  violations: string[]
}

export function judgePackets(facts: PacketFacts): PacketVerdict {
  const { snapshot, totalAmount, miscounted = [] } = facts
  const { credits } = facts.money
  const packets = packetsOf(facts)
  const claimed = snapshot.claims.length
  const credited = credits.length
  const expected = Math.min(facts.packets, facts.shoppers)
  const money = {
    total: totalAmount,
    claimed: sumAmount(snapshot.claims),
    credited: sumAmount(credits),
    left: sumAmount(snapshot.waiting),
  }
  const { strangers, unanswered } = creditsWithoutAnswer(facts)
  const { findings, must } = openFindings()
  must('I1', claimed === expected, `${counted(claimed, 'packet')} claimed, ${expected} expected`)
  must('I2', strangers.length === 0, `credits of shoppers who claimed nothing: ${firstFew(strangers)}`)
  return {
    claimed,
    credited,
    expected,
    overpaid: Math.max(0, money.credited - totalAmount),
    lost: lostClaims(packets).length,
    stranded: Math.max(0, expected - credited),
    unanswered,
    money,
    violations: [...[...findings, ...findingsAtRest(saleOf(facts, packets))].map(violationOf), ...miscounted],
  }
}

function saleOf(facts: PacketFacts, packets: PacketSnapshot): ObservedSale {
  const { unseen, queued, deadLetters, shownLeft, refusedWithLeft } = facts
  return {
    sale: { kind: 'red-packet', stock: facts.packets, limitPerShopper: 1 },
    orders: [],
    shown: { left: shownLeft, refused: refusedWithLeft },
    arrivals: { unseen, queued, deadLetters },
    packets,
  }
}

function packetsOf({ snapshot, money, answered, packets, totalAmount }: PacketFacts): PacketSnapshot {
  return { count: packets, totalAmount, redis: snapshot, table: money, answered }
}

/**
 * Returns credits without an answered claim: `unanswered` ones, whose answer may have been lost, and those of
 * `strangers`, who claimed nothing.
 */
function creditsWithoutAnswer({ answered, inDoubt, money }: PacketFacts): { strangers: string[]; unanswered: number } {
  const answeredIds = new Set(answered.map(({ shopperId }) => shopperId))
  const missed = new Set(inDoubt)
  const all = money.credits.map(({ shopperId }) => shopperId).filter((shopperId) => !answeredIds.has(shopperId))
  const strangers = all.filter((shopperId) => !missed.has(shopperId))
  return { strangers, unanswered: all.length - strangers.length }
}

/**
 * The invariants after a rush for red packets, as one pure function. A packet has one owner and a
 * shopper one packet; the money of the sale is accounted for to the cent, in Redis, in the table
 * and in every wallet.
 */
import { type Must, openFindings, someOf } from '../findings.ts'
import type { AnsweredClaim, OwnedPacket, PacketFacts, StoredCredit } from './facts.ts'

/**
 * Counts of packets, and minor units.
 * - `lost`: claims answered without a credit.
 * - `overpaid`: credited beyond the total amount.
 * - `stranded`: packets that a shopper asked for and that were not credited.
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

const sum = (parts: readonly { amount: number }[]) => parts.reduce((total, { amount }) => total + amount, 0)

export function judgePackets(facts: PacketFacts): PacketVerdict {
  const { snapshot, answered, totalAmount } = facts
  const credits = facts.money.credits.filter(({ saleId }) => saleId === facts.saleId)
  const claimed = snapshot.claims.length
  const credited = credits.length
  const expected = Math.min(facts.packets, facts.shoppers)
  const money = {
    total: totalAmount,
    claimed: sum(snapshot.claims),
    credited: sum(credits),
    left: sum(snapshot.waiting),
  }
  const overpaid = Math.max(0, money.credited - totalAmount)
  const lost = withoutRecord(answered, credits)
  const stranded = Math.max(0, expected - credited)
  const { strangers, unanswered } = creditsWithoutAnswer(facts, credits)

  const { violations, must } = openFindings()
  must(claimed === expected, `I1: ${claimed} packets claimed, ${expected} expected`)
  must(overpaid === 0, `I1: ${overpaid} minor units credited beyond the total amount`)
  must(lost.length === 0, `I2: ${lost.length} claims without their credit (${someOf(lost)})`)
  must(strangers.length === 0, `I2: credits of shoppers who claimed nothing: ${someOf(strangers)}`)
  checkArrivals(facts, must)
  checkOwners(facts, credits, must)
  checkRedis(facts, must)
  checkTable(facts, credits, must)
  checkBalances(facts, must)
  checkShown(facts, must)
  return { claimed, credited, expected, overpaid, lost: lost.length, stranded, unanswered, money, violations }
}

/**
 * Credits without an answered claim: `unanswered` ones, whose answer may have been lost, and those
 * of `strangers`, who cannot have one.
 */
function creditsWithoutAnswer(
  { answered, inDoubt }: PacketFacts,
  credits: readonly StoredCredit[],
): { strangers: string[]; unanswered: number } {
  const answeredIds = new Set(answered.map(({ shopperId }) => shopperId))
  const missed = new Set(inDoubt)
  const all = credits.map(({ shopperId }) => shopperId).filter((shopperId) => !answeredIds.has(shopperId))
  const strangers = all.filter((shopperId) => !missed.has(shopperId))
  return { strangers, unanswered: all.length - strangers.length }
}

/** Nothing is in progress, and winners see what they won. */
function checkArrivals({ snapshot, unseen, queued, deadLetters }: PacketFacts, must: Must): void {
  must(unseen.length === 0, `I2: credits their shopper cannot see: ${someOf(unseen)}`)
  must(queued === 0, `I2: ${queued} messages still in the queue`)
  must(deadLetters === 0, `I2: ${deadLetters} dead letters`)
  must(snapshot.outbox === 0, `I2: ${snapshot.outbox} claims still in the outbox`)
}

/** Compares owners from all sources: answers, Redis, credits and the table. */
function checkOwners(
  { snapshot, money, answered }: PacketFacts,
  credits: readonly StoredCredit[],
  must: Must,
): void {
  const all: { shopperId: string; packetId: string }[] = [
    ...answered,
    ...snapshot.claims,
    ...credits,
    ...money.owners,
  ]
  const greedy = [...Map.groupBy(all, ({ shopperId }) => shopperId)]
    .filter(([, theirs]) => new Set(theirs.map(({ packetId }) => packetId)).size > 1)
    .map(([shopperId]) => shopperId)
  const shared = [...Map.groupBy(all, ({ packetId }) => packetId)]
    .filter(([, its]) => new Set(its.map(({ shopperId }) => shopperId)).size > 1)
    .map(([packetId]) => packetId)
  must(greedy.length === 0, `I3: ${greedy.length} shoppers with more than one packet (${someOf(greedy)})`)
  must(shared.length === 0, `I3: ${shared.length} packets with more than one owner (${someOf(shared)})`)
}

/** Redis by itself: every packet exists once, waiting or claimed, and every cent is there. */
function checkRedis({ snapshot, packets, totalAmount }: PacketFacts, must: Must): void {
  const { total, loaded, waiting, claims } = snapshot
  const all = [...waiting, ...claims]
  const different = new Set(all.map(({ packetId }) => packetId)).size
  must(total === packets, `I4: Redis has a total of ${total} packets, the sale ${packets}`)
  must(loaded === packets, `I4: ${loaded} packets were loaded, the sale has ${packets}`)
  must(
    all.length === loaded,
    `I4: ${waiting.length} packets wait and ${claims.length} are claimed, ${loaded} were loaded`,
  )
  must(different === all.length, `I4: ${all.length - different} packets are in Redis twice`)
  must(sum(all) === totalAmount, `I4: the packets in Redis hold ${sum(all)}, the sale ${totalAmount}`)
}

/** The table against Redis, and its counters against its items. */
function checkTable(
  { snapshot, money, packets, totalAmount }: PacketFacts,
  credits: StoredCredit[],
  must: Must,
) {
  const { owners, cap } = money
  must(
    sum(credits) === sum(snapshot.claims),
    `I4: ${sum(credits)} was credited, ${sum(snapshot.claims)} was claimed`,
  )
  must(sameOwners(credits, snapshot.claims), 'I4: Redis and the wallets name different claims')
  must(sameOwners(credits, owners), 'I4: the wallets and the packets of the table name different owners')
  must(
    cap.claimed === sum(credits),
    `I4: the cap says ${cap.claimed} is claimed, ${sum(credits)} is credited`,
  )
  must(cap.budget === totalAmount, `I4: the cap has a budget of ${cap.budget}, the sale of ${totalAmount}`)
  must(
    cap.sold === credits.length && cap.orders === credits.length,
    `I4: the cap counts ${cap.sold} packets in ${cap.orders} claims, ${credits.length} are credited`,
  )
  must(
    cap.remaining === packets - credits.length,
    `I4: the cap has ${cap.remaining} packets left, ${packets - credits.length} are`,
  )
}

/** A balance is the sum of the wallet's credits, over all sales. */
function checkBalances({ money }: PacketFacts, must: Must): void {
  const nameOf = ({ shopperId, currency }: { shopperId: string; currency: string }) =>
    `${shopperId} ${currency}`
  const credits = Map.groupBy(money.credits, nameOf)
  const balances = Map.groupBy(money.balances, nameOf)
  const wrong = [...new Set([...credits.keys(), ...balances.keys()])].filter(
    (name) => sum(credits.get(name) ?? []) !== sum(balances.get(name) ?? []),
  )
  must(wrong.length === 0, `I4: ${wrong.length} balances differ from their credits (${someOf(wrong)})`)
}

/** What shoppers without a packet see, and the marketer. */
function checkShown(facts: PacketFacts, must: Must): void {
  const { packets, snapshot, shownLeft, refusedWithLeft, miscounted = [] } = facts
  for (const difference of miscounted) must(false, difference)
  const left = packets - snapshot.claims.length
  must(shownLeft === left, `the public pointer shows ${shownLeft} left, ${left} are`)
  if (refusedWithLeft === undefined) return
  must(
    refusedWithLeft === left,
    `a refused shopper was answered that ${refusedWithLeft} are left, ${left} are`,
  )
}

/** Answered claims without exactly that credit in exactly that wallet. */
function withoutRecord(answered: readonly AnsweredClaim[], credits: readonly StoredCredit[]): string[] {
  const lineOf = (credit: AnsweredClaim) => `${ownerLine(credit)} ${credit.currency}`
  const credited = new Set(credits.map(lineOf))
  return answered.filter((claim) => !credited.has(lineOf(claim))).map(({ packetId }) => packetId)
}

function sameOwners(some: readonly OwnedPacket[], others: readonly OwnedPacket[]): boolean {
  const known = new Set(others.map(ownerLine))
  return some.length === others.length && some.every((owned) => known.has(ownerLine(owned)))
}

const ownerLine = ({ shopperId, packetId, amount }: OwnedPacket) => `${shopperId} ${packetId} ${amount}`

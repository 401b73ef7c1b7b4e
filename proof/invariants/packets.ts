/**
 * Checks red packets: a packet has one owner and a shopper one packet (P3), and the money adds up to the cent in Redis,
 * in the table and in every wallet (P8, I1, I4).
 */
import { counted } from '../../core/lib/text.ts'
import { type InvariantFinding, type Must, openFindings, sumAmount } from './findings.ts'
import type { AnsweredPacket, OwnedPacket, PacketSnapshot, PacketsInRedis } from './snapshot.ts'

/** Checks the table at any moment: every packet has one owner, and the money adds up. */
export function creditFindings(packets: PacketSnapshot): InvariantFinding[] {
  const { credits, owners } = packets.table
  return [...ownerFindings([...credits, ...owners]), ...moneyFindings(packets)]
}

function moneyFindings({ count, totalAmount, table }: PacketSnapshot): InvariantFinding[] {
  const { credits, owners, cap } = table
  const { findings, must } = openFindings()
  const sum = sumAmount(credits)
  must('I1', credits.length <= count, `${counted(credits.length, 'packet')} of ${count} are credited`)
  must('I1', sum <= totalAmount, `${sum - totalAmount} minor units credited beyond the total amount`)
  must(['I4', 'P3'], hasSameOwners(credits, owners), 'the wallets and the packets of the table name different owners')
  must(['I4', 'P8'], cap.claimed === sum, `the cap says ${cap.claimed} is claimed, ${sum} is credited`)
  must(['I4', 'P8'], cap.budget === totalAmount, `the cap has a budget of ${cap.budget}, the sale of ${totalAmount}`)
  must(
    ['I4', 'P8'],
    cap.sold === credits.length && cap.orders === credits.length,
    `the cap counts ${counted(cap.sold, 'packet')} in ${counted(cap.orders, 'claim')}, ${credits.length} are credited`,
  )
  return findings
}

/** Returns the answered claims without exactly that credit in that wallet. */
export function lostClaims({ answered = [], table }: PacketSnapshot): AnsweredPacket[] {
  const lineOf = (credit: OwnedPacket & { currency: string }) => `${ownerLine(credit)} ${credit.currency}`
  const credited = new Set(table.credits.map(lineOf))
  return answered.filter((claim) => claim.mayBeMissing !== true && !credited.has(lineOf(claim)))
}

/** Checks at rest that Redis has the same owners as the table, and all other packets. */
export function packetFindings(packets: PacketSnapshot): InvariantFinding[] {
  const { count, redis, table, amounts, answered = [] } = packets
  const { credits, cap, owners } = table
  const kept = answered.filter(({ mayBeMissing = false }) => !mayBeMissing)
  const { findings, must, none } = openFindings()
  findings.push(...ownerFindings([...kept, ...(redis?.claims ?? []), ...credits, ...owners]))
  findings.push(...moneyFindings(packets))
  const lost = lostClaims(packets).map(({ packetId }) => packetId)
  none('I2', lost, 'claim', 'without a credit')
  must(
    'I4',
    cap.remaining === count - credits.length,
    `the cap has ${counted(cap.remaining, 'packet')} left, ${count - credits.length} are`,
  )
  for (const { packetId, amount } of amounts === undefined ? [] : credits) {
    must(
      'P1',
      amounts?.get(packetId) === amount,
      `${packetId} was credited ${amount} and holds ${amounts?.get(packetId)}`,
    )
  }
  if (redis === undefined) return findings
  must(
    'I4',
    sumAmount(credits) === sumAmount(redis.claims),
    `${sumAmount(credits)} was credited, ${sumAmount(redis.claims)} was claimed`,
  )
  must('I4', hasSameOwners(credits, redis.claims), 'Redis and the wallets name different claims')
  must('I2', redis.outbox === 0, `${counted(redis.outbox, 'claim')} still in the outbox`)
  must('I4', redis.total === count, `Redis has a total of ${counted(redis.total, 'packet')}, the sale ${count}`)
  checkWaiting(packets, redis, must)
  return findings
}

/** Checks Redis alone: every packet exists once, waiting or claimed, and the amounts add up. */
function checkWaiting(packets: PacketSnapshot, redis: PacketsInRedis, must: Must): void {
  const { count, loaded: most = count, totalAmount, amounts } = packets
  const { loaded, waiting, claims, isCleared = false } = redis
  if (isCleared) {
    must('I4', waiting.length === 0, `${counted(waiting.length, 'packet')} left after the end`)
    return
  }
  const all = [...waiting, ...claims]
  const different = new Set(all.map(({ packetId }) => packetId)).size
  must('I4', loaded === most, `${counted(loaded, 'packet')} loaded, the sale has ${most}`)
  must(
    'I4',
    all.length === loaded,
    `${counted(waiting.length, 'packet')} waiting and ${claims.length} claimed, ${loaded} loaded`,
  )
  must('I4', different === all.length, `${counted(all.length - different, 'packet')} in Redis twice`)
  const whole = amounts === undefined ? totalAmount : [...amounts.values()].reduce((sum, amount) => sum + amount, 0)
  must('I4', sumAmount(all) === whole, `the packets in Redis hold ${sumAmount(all)}, the sale ${whole}`)
  for (const { packetId, amount } of amounts === undefined ? [] : waiting) {
    must(
      'I4',
      amounts?.get(packetId) === amount,
      `${packetId} waits with ${amount} and holds ${amounts?.get(packetId)}`,
    )
  }
}

/** Checks that each owner has one packet and each packet one owner, in all stores together. */
function ownerFindings(all: readonly Pick<OwnedPacket, 'shopperId' | 'packetId'>[]): InvariantFinding[] {
  const { findings, none } = openFindings()
  const greedy = [...Map.groupBy(all, ({ shopperId }) => shopperId)]
    .filter(([, theirs]) => new Set(theirs.map(({ packetId }) => packetId)).size > 1)
    .map(([shopperId]) => shopperId)
  const shared = [...Map.groupBy(all, ({ packetId }) => packetId)]
    .filter(([, its]) => new Set(its.map(({ shopperId }) => shopperId)).size > 1)
    .map(([packetId]) => packetId)
  none(['I3', 'P3'], greedy, 'shopper', 'with more than one packet')
  none(['I3', 'P3'], shared, 'packet', 'with more than one owner')
  return findings
}

function hasSameOwners(some: readonly OwnedPacket[], others: readonly OwnedPacket[]): boolean {
  const known = new Set(others.map(ownerLine))
  return some.length === others.length && some.every((owned) => known.has(ownerLine(owned)))
}

const ownerLine = ({ shopperId, packetId, amount }: OwnedPacket) => `${shopperId} ${packetId} ${amount}`

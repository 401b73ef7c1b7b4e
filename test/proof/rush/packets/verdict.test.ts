import { describe, expect, it } from 'vitest'
import type { OwnedPacket } from '../../../../proof/invariants/snapshot.ts'
import { type AnsweredClaim, judgePackets, type PacketFacts } from '../../../../proof/rush/packets/verdict.ts'
import { facts, first, inRedis } from '../valid-rush.ts'

/** Ten packets of 11 to 20, eight shoppers: all have one, two packets wait, and nothing is wrong. */
function fine(): PacketFacts {
  const packets = Array.from({ length: 10 }, (_, i) => ({ packetId: `rain-p${i}`, amount: 11 + i }))
  const claims: OwnedPacket[] = packets.slice(0, 8).map((packet, i) => ({ ...packet, shopperId: `s${i}` }))
  return {
    packets: 10,
    totalAmount: 155,
    shoppers: 8,
    snapshot: { total: 10, loaded: 10, waiting: packets.slice(8), claims, outbox: 0 },
    money: {
      credits: claims.map((claim) => ({ ...claim, currency: 'CNY' })),
      owners: claims.map((claim) => ({ ...claim })),
      cap: { remaining: 2, sold: 8, orders: 8, budget: 155, claimed: 116 },
    },
    answered: claims.map((claim) => ({ ...claim, currency: 'CNY' })),
    inDoubt: [],
    unseen: [],
    queued: 0,
    deadLetters: 0,
    shownLeft: 2,
    refusedWithLeft: undefined,
  }
}

/** Changes an owner in every source alike, so that only the rule itself is broken. */
function everywhere({ answered, snapshot, money }: PacketFacts, change: (owned: OwnedPacket) => void): void {
  for (const owned of [...answered, ...snapshot.claims, ...money.credits, ...money.owners]) change(owned)
}

const says = (facts: PacketFacts) => judgePackets(facts).violations

describe('the verdict of a rush for red packets', () => {
  it('finds nothing wrong when every claim is credited and the other packets still wait (I1, I2, I3, I4)', () => {
    expect(judgePackets(fine())).toEqual({
      claimed: 8,
      credited: 8,
      expected: 8,
      overpaid: 0,
      lost: 0,
      stranded: 0,
      unanswered: 0,
      money: { total: 155, claimed: 116, credited: 116, left: 39 },
      violations: [],
    })
  })

  it('counts a claim without its credit as lost, and its packet as stranded (I2)', () => {
    const facts = fine()
    facts.money.credits.splice(3, 1)
    expect(judgePackets(facts)).toMatchObject({ credited: 7, lost: 1, stranded: 1 })
    expect(says(facts).join()).toContain('I2: 1 claim without a credit (rain-p3)')
    expect(says(facts).join()).toContain('102 was credited, 116 was claimed')
  })

  it.each<[string, (promise: AnsweredClaim) => void]>([
    ['with another amount', (p) => Object.assign(p, { amount: p.amount + 1 })],
    ['with another packet', (p) => Object.assign(p, { packetId: 'rain-p99' })],
    ['in another currency', (p) => Object.assign(p, { currency: 'EUR' })],
    ['in the wallet of another shopper', (p) => Object.assign(p, { shopperId: 'another' })],
  ])('does not accept a credit %s (I2)', (_, change) => {
    const facts = fine()
    change(first(facts.answered))
    expect(judgePackets(facts).lost).toBe(1)
  })

  it('counts money beyond the total amount as overpaid (I1)', () => {
    const facts = fine()
    first(facts.money.credits).amount += 50
    expect(judgePackets(facts)).toMatchObject({ overpaid: 11, lost: 1 })
    expect(says(facts).join()).toContain('11 minor units credited beyond the total amount')
  })

  it('names the shopper with two packets (I3)', () => {
    const facts = fine()
    everywhere(facts, (owned) => {
      if (owned.shopperId === 's1') owned.shopperId = 's2'
    })
    expect(says(facts).join()).toContain('1 shopper with more than one packet (s2)')
  })

  it.each<[string, (facts: PacketFacts) => unknown, string]>([
    ['in the table', ({ money }) => money.owners.push({ packetId: 'rain-p1', shopperId: 's9', amount: 12 }), 'rain-p1'],
    ['in the answers', ({ answered }) => Object.assign(answered[1] ?? {}, { packetId: 'rain-p0' }), 'rain-p0'],
  ])('names the packet with two owners %s (I3)', (_, spoil, packetId) => {
    const facts = fine()
    spoil(facts)
    expect(says(facts).join()).toContain(`1 packet with more than one owner (${packetId})`)
  })

  it('finds a credit of a shopper who claimed nothing (I2)', () => {
    const facts = fine()
    facts.answered.pop()
    expect(says(facts)).toEqual(['I2: credits of shoppers who claimed nothing: s7'])
  })

  it('accepts a credit whose answer was lost, and counts it (I2)', () => {
    const facts = fine()
    facts.answered.pop()
    facts.inDoubt.push('s7', 's8')
    expect(judgePackets(facts)).toMatchObject({ unanswered: 1, violations: [] })
  })

  const cap =
    (change: object) =>
    ({ money }: PacketFacts) =>
      Object.assign(money.cap, change)

  it.each<[string, (facts: PacketFacts) => unknown, string]>([
    ['a packet without a claim', facts({ shoppers: 9 }), '8 packets claimed, 9 expected'],
    ['a packet missing in Redis', (f) => f.snapshot.waiting.pop(), '1 packet waiting and 8 claimed'],
    ['a missing cent', waiting({ amount: 18 }), 'the packets in Redis hold 154, the sale 155'],
    ['a packet that is claimed and waits', waiting({ packetId: 'rain-p0' }), '1 packet in Redis twice'],
    ['a total that changed', inRedis({ total: 11 }), 'a total of 11 packets'],
    ['packets not all loaded', inRedis({ loaded: 9 }), '9 packets loaded'],
    ['a claim left in the outbox', inRedis({ outbox: 1 }), '1 claim still in the outbox'],
    ['a message left in the queue', facts({ queued: 1 }), '1 message still in the queue'],
    ['a queue that does not answer', facts({ queued: Number.NaN }), 'messages still in the queue'],
    ['a dead letter', facts({ deadLetters: 1 }), '1 dead letter'],
    ['a credit its shopper cannot see', facts({ unseen: ['rain-p1'] }), 'cannot see: rain-p1'],
    [
      'a claim that Redis has with another amount',
      ({ snapshot }) => Object.assign(first(snapshot.claims), { amount: 12 }),
      'Redis and the wallets name different claims',
    ],
    ['a packet without its owner', (f) => f.money.owners.pop(), 'of the table name different owners'],
    ['a cap that counts other money', cap({ claimed: 115 }), 'the cap says 115'],
    ['another budget', cap({ budget: 156 }), 'a budget of 156'],
    ['a cap that counts other packets', cap({ sold: 9 }), 'counts 9 packets in 8'],
    ['a cap with more left', cap({ remaining: 3 }), 'has 3 packets left, 2 are'],
    ['a page that shows packets that are gone', facts({ shownLeft: 3 }), 'shows 3 left'],
    ['a refusal with the wrong number', facts({ refusedWithLeft: 1 }), 'answered that 1 are left'],
    ['a late shopper who is not rejected', facts({ refusedWithLeft: Number.NaN }), 'answered that NaN'],
  ])('reports %s', (_, spoil, expected) => {
    const facts = fine()
    spoil(facts)
    expect(says(facts).join()).toContain(expected)
  })
})

function waiting(change: object) {
  return ({ snapshot }: PacketFacts) => Object.assign(first(snapshot.waiting), change)
}

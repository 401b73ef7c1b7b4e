/**
 * Records the red packets that Redis handed out, and the answers to shoppers. A claim is `firm` until Redis loses the
 * owners of packets, and `shaken` from then on. It is `doubtful` in three cases: it is made before Redis is recovered;
 * its shopper's first claim is still in progress then; or the first claim of its packet is, and the gate had forgotten
 * it. The table credits one of the two.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { member } from './parts/requests.ts'

export type RecordedClaim = {
  shopperId: ShopperId
  packet: number
  amount: number
  currency: string
  certainty: 'firm' | 'shaken' | 'doubtful'
  isAnswered: boolean
}

export type PacketRecord = ReturnType<typeof openPacketRecord>

export function claimName({ shopperId, packet }: Pick<RecordedClaim, 'shopperId' | 'packet'>): string {
  return `${shopperId} ${packet}`
}

export function openPacketRecord(saleId: SaleId, violated: (what: string) => void) {
  /** Claims by `claimName`. */
  const claimed = new Map<string, RecordedClaim>()
  /** Names of claims that Redis lost while they were recorded nowhere else. */
  const excused = new Set<string>()
  let isGateBehind = false
  let hasLostOwners = false
  let hasAllData = true

  const packetOf = (answer: HttpAnswer): number | undefined => {
    const packetId = String(member(answer, 'packetId'))
    const packet = Number(packetId.split('-p').at(-1))
    return packetIdOf(saleId, packet) === packetId ? packet : undefined
  }

  return {
    claimed,
    /** Returns the number of claims whose shopper got an answer. */
    answeredCount: () => [...claimed.values()].filter(({ isAnswered }) => isAnswered).length,
    excused,
    /** Names of claims that were only in the outbox when Redis lost the owners; their shoppers may get another packet. */
    overwritable: new Set<string>(),
    /** False from a data loss of the sale until its recovery. */
    hasAllData: () => hasAllData,
    /** Records a packet that reserve.lua handed out. */
    recordClaim(claim: Pick<RecordedClaim, 'shopperId' | 'packet' | 'amount' | 'currency'>): void {
      const before = [...claimed.values()].find(
        ({ shopperId, packet, certainty }) =>
          certainty === 'firm' && (packet === claim.packet || shopperId === claim.shopperId),
      )
      if (before !== undefined && !hasLostOwners) {
        violated(`${claimName(claim)} was handed out after ${claimName(before)} (P3, I5)`)
      }
      const isAnswered = claimed.get(claimName(claim))?.isAnswered === true
      const isSecond = [...claimed.values()].some(
        (other) =>
          other.shopperId === claim.shopperId &&
          other.packet !== claim.packet &&
          other.certainty === 'shaken' &&
          !excused.has(claimName(other)),
      )
      const wasTaken =
        isGateBehind &&
        [...claimed.values()].some(
          ({ shopperId, packet, certainty }) =>
            packet === claim.packet && shopperId !== claim.shopperId && certainty === 'shaken',
        )
      const certainty: RecordedClaim['certainty'] = hasLostOwners || isSecond || wasTaken ? 'doubtful' : 'firm'
      claimed.set(claimName(claim), { ...claim, certainty, isAnswered })
    },
    /**
     * The gate's store was rolled back. When the owners of packets are lost too, its bound of handed-out numbers is too
     * low, so a packet whose claim is in progress may be given to a second shopper: the table credits one of the two.
     */
    gateRolledBack(): void {
      isGateBehind = true
    },
    /** Redis lost data: `owners` when that includes the owners of packets. */
    redisLost(whose: 'owners' | 'other'): void {
      hasAllData = false
      if (whose !== 'owners') return
      hasLostOwners = true
      for (const claim of claimed.values()) if (claim.certainty === 'firm') claim.certainty = 'shaken'
    },
    redisRebuilt(): void {
      hasAllData = true
      hasLostOwners = false
    },
    /** Records an answer to a claim of `shopperId`. */
    record(shopperId: ShopperId, answer: HttpAnswer) {
      if (answer.statusCode !== 200) return
      const packet = packetOf(answer)
      const claim = packet === undefined ? undefined : claimed.get(claimName({ shopperId, packet }))
      if (claim === undefined) return violated(`${shopperId} was answered with a packet that was never handed out (P3)`)
      claim.isAnswered = true
      const { amount, currency } = claim
      if (member(answer, 'amount') !== amount || member(answer, 'currency') !== currency) {
        violated(`${claimName(claim)} holds ${amount} ${currency} and its shopper was answered otherwise (I5)`)
      }
      const remaining = member(answer, 'remaining')
      if (remaining !== undefined && !(Number(remaining) >= 0)) {
        violated(`${claimName(claim)} left ${String(remaining)} packets`)
      }
    },
  }
}

/**
 * The red packets that Redis handed out, and those that shoppers were answered. A claim is `firm`
 * until Redis loses the owners of packets, and `shaken` from then on. It is `doubtful` when it is
 * made before Redis was recovered, by a shopper whose first claim was still on its way then, or of a packet
 * whose first claim was and the gate had forgotten it: the table credits one of the two.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { packetIdOf } from '../../core/packets/packet.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { member } from './parts/requests.ts'

export type HandedOut = {
  shopperId: ShopperId
  packet: number
  amount: number
  currency: string
  standing: 'firm' | 'shaken' | 'doubtful'
  isAnswered: boolean
}

export type PacketRecord = {
  /** By `claimName`. */
  handedOut: ReadonlyMap<string, HandedOut>
  /** The number of claims that were answered to their shopper. */
  answeredCount: () => number
  /** Names of claims that Redis lost while they were recorded nowhere else. */
  excused: Set<string>
  /**
   * Names of claims that were only in the outbox when Redis lost the owners: their shoppers may get
   * another packet.
   */
  overwritable: Set<string>
  /** False from a data loss of the sale until its recovery. */
  isWhole: () => boolean
  /** reserve.lua handed out a packet. */
  handOut: (claim: Pick<HandedOut, 'shopperId' | 'packet' | 'amount' | 'currency'>) => void
  /**
   * The gate's store fell back to an older copy. Where the owners of packets are lost as well, its bound of the
   * numbers that were handed out is too low, so a packet whose claim is on its way may be given to a second
   * shopper: the table credits one of the two.
   */
  gateRolledBack: () => void
  /** Redis lost data: `owners` when that includes the owners of packets. */
  redisLost: (whose: 'owners' | 'other') => void
  redisRebuilt: () => void
  /** Records an answer to a claim of `shopperId`. */
  record: (shopperId: ShopperId, answer: HttpAnswer) => void
}

export function claimName({ shopperId, packet }: Pick<HandedOut, 'shopperId' | 'packet'>): string {
  return `${shopperId} ${packet}`
}

export function openPacketRecord(saleId: SaleId, violated: (what: string) => void): PacketRecord {
  const handedOut = new Map<string, HandedOut>()
  const excused = new Set<string>()
  let isGateBehind = false
  let hasLostOwners = false
  let isWhole = true

  const packetOf = (answer: HttpAnswer): number | undefined => {
    const packetId = String(member(answer, 'packetId'))
    const packet = Number(packetId.split('-p').at(-1))
    return packetIdOf(saleId, packet) === packetId ? packet : undefined
  }

  return {
    handedOut,
    answeredCount: () => [...handedOut.values()].filter(({ isAnswered }) => isAnswered).length,
    excused,
    overwritable: new Set(),
    isWhole: () => isWhole,
    handOut(claim) {
      const before = [...handedOut.values()].find(
        ({ shopperId, packet, standing }) =>
          standing === 'firm' && (packet === claim.packet || shopperId === claim.shopperId),
      )
      if (before !== undefined && !hasLostOwners) {
        violated(`${claimName(claim)} was handed out after ${claimName(before)} (P3, I5)`)
      }
      const isAnswered = handedOut.get(claimName(claim))?.isAnswered === true
      const isSecond = [...handedOut.values()].some(
        (other) =>
          other.shopperId === claim.shopperId &&
          other.packet !== claim.packet &&
          other.standing === 'shaken' &&
          !excused.has(claimName(other)),
      )
      const wasTaken =
        isGateBehind &&
        [...handedOut.values()].some(
          ({ shopperId, packet, standing }) =>
            packet === claim.packet && shopperId !== claim.shopperId && standing === 'shaken',
        )
      const standing = hasLostOwners || isSecond || wasTaken ? 'doubtful' : 'firm'
      handedOut.set(claimName(claim), { ...claim, standing, isAnswered })
    },
    gateRolledBack() {
      isGateBehind = true
    },
    redisLost(whose) {
      isWhole = false
      if (whose !== 'owners') return
      hasLostOwners = true
      for (const claim of handedOut.values()) if (claim.standing === 'firm') claim.standing = 'shaken'
    },
    redisRebuilt() {
      isWhole = true
      hasLostOwners = false
    },
    record(shopperId, answer) {
      if (answer.statusCode !== 200) return
      const packet = packetOf(answer)
      const claim = packet === undefined ? undefined : handedOut.get(claimName({ shopperId, packet }))
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

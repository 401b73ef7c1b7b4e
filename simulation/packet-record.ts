/**
 * What Redis handed out of red packets, and what shoppers were told of it. A claim is `firm` until Redis forgets who has what,
 * and `shaken` from then on. It is `doubtful` when it is made before Redis was told again, or by a shopper whose first claim was
 * still on its way then: the table credits one of the two.
 */
import { packetIdOf } from '../core/claim.ts'
import type { SaleId, ShopperId } from '../core/ids.ts'
import type { HttpAnswer } from '../functions/lib/http/answer.ts'
import { member } from './client.ts'

export type HandedOut = {
  shopperId: ShopperId
  packet: number
  amount: number
  currency: string
  standing: 'firm' | 'shaken' | 'doubtful'
  isTold: boolean
}

export type PacketBook = {
  /** By `claimName`. */
  handedOut: ReadonlyMap<string, HandedOut>
  /** How many of them somebody was told of. */
  told: () => number
  /** Names of claims that Redis lost while their message was nowhere else. */
  excused: Set<string>
  /** Names of claims that only waited to be sent when Redis forgot who has what: whoever taps again gets another. */
  overwritable: Set<string>
  /** False from when Redis lost something of the sale until the sale was rebuilt. */
  isWhole: () => boolean
  /** claim.lua said yes. */
  handOut: (claim: Pick<HandedOut, 'shopperId' | 'packet' | 'amount' | 'currency'>) => void
  /** Redis lost something: `whose` tells whether it forgot who has a packet. */
  redisLost: (whose: 'claims' | 'other') => void
  redisRebuilt: () => void
  /** Hears of an answer to a tap of `shopperId`. */
  hear: (shopperId: ShopperId, answer: HttpAnswer) => void
}

export function claimName({ shopperId, packet }: Pick<HandedOut, 'shopperId' | 'packet'>): string {
  return `${shopperId} ${packet}`
}

export function openPackets(saleId: SaleId, violated: (what: string) => void): PacketBook {
  const handedOut = new Map<string, HandedOut>()
  const excused = new Set<string>()
  let isForgetful = false
  let isWhole = true

  const packetOf = (answer: HttpAnswer): number | undefined => {
    const packetId = String(member(answer, 'packetId'))
    const packet = Number(packetId.split('-p').at(-1))
    return packetIdOf(saleId, packet) === packetId ? packet : undefined
  }

  return {
    handedOut,
    told: () => [...handedOut.values()].filter(({ isTold }) => isTold).length,
    excused,
    overwritable: new Set(),
    isWhole: () => isWhole,
    handOut(claim) {
      const before = [...handedOut.values()].find(
        ({ shopperId, packet, standing }) =>
          standing === 'firm' && (packet === claim.packet || shopperId === claim.shopperId),
      )
      if (before !== undefined && !isForgetful) {
        violated(`${claimName(claim)} was handed out after ${claimName(before)} (P3, I5)`)
      }
      const isTold = handedOut.get(claimName(claim))?.isTold === true
      const isSecond = [...handedOut.values()].some(
        (other) =>
          other.shopperId === claim.shopperId &&
          other.packet !== claim.packet &&
          other.standing === 'shaken' &&
          !excused.has(claimName(other)),
      )
      const standing = isForgetful || isSecond ? 'doubtful' : 'firm'
      handedOut.set(claimName(claim), { ...claim, standing, isTold })
    },
    redisLost(whose) {
      isWhole = false
      if (whose !== 'claims') return
      isForgetful = true
      for (const claim of handedOut.values()) if (claim.standing === 'firm') claim.standing = 'shaken'
    },
    redisRebuilt() {
      isWhole = true
      isForgetful = false
    },
    hear(shopperId, answer) {
      if (answer.statusCode !== 200) return
      const packet = packetOf(answer)
      const claim = packet === undefined ? undefined : handedOut.get(claimName({ shopperId, packet }))
      if (claim === undefined)
        return violated(`${shopperId} was told of a packet that nobody handed out (P3)`)
      claim.isTold = true
      const { amount, currency } = claim
      if (member(answer, 'amount') !== amount || member(answer, 'currency') !== currency) {
        violated(`${claimName(claim)} holds ${amount} ${currency} and its shopper was told otherwise (I5)`)
      }
      const remaining = member(answer, 'remaining')
      if (remaining !== undefined && !(Number(remaining) >= 0)) {
        violated(`${claimName(claim)} left ${String(remaining)} packets`)
      }
    },
  }
}

/** Red packets and the outbox of their claims in memory, by the rules of claim.lua. */
import type { ClaimMessage } from '../../../core/claim.ts'
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale.ts'
import type { Packets } from '../../../functions/buy/claim.ts'
import type { Outbox } from '../../../functions/buy/dispatch.ts'
import type { Tap, Tapped } from '../../../redis/claim.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'

type StockRecord = {
  sale: Sale
  frozen: boolean
  /** The amount of each unclaimed packet, by its number. */
  waiting: Map<number, number>
  claims: Map<ShopperId, ClaimMessage>
  outbox: Map<ShopperId, ClaimMessage>
}

export type MemoryPackets = Packets &
  Outbox<ShopperId> &
  Switchable & {
    /** Loads a sale with the amounts of its packets, the first to be claimed first. */
    put: (sale: Sale, amounts: readonly number[]) => void
    freeze: (saleId: SaleId) => void
    waiting: (saleId: SaleId) => ClaimMessage[]
    claimed: (saleId: SaleId) => number
    /** The next claim is executed, but its answer is lost. */
    loseNextReply: () => void
  }

export function memoryPackets(): MemoryPackets {
  const light = outage('Redis')
  const records = new Map<SaleId, StockRecord>()
  let losing = false

  const decide = (record: StockRecord | undefined, tap: Tap): Tapped => {
    if (record === undefined) return { kind: 'unknown-sale' }
    const { sale, frozen, waiting, claims, outbox } = record
    const { saleId, shopperId, now, requestId } = tap
    const mine = claims.get(shopperId)
    if (mine !== undefined) return { kind: 'repeat', message: mine }
    if (frozen) return { kind: 'unavailable' }
    if (sale.flag === 'closed' || now >= sale.endsAt) return { kind: 'ended' }
    if (sale.flag === 'paused') return { kind: 'paused' }
    if (sale.flag === 'off' || now < sale.startsAt) return { kind: 'not-started' }
    if (tap.startToken !== sale.startToken || sale.kind !== 'red-packet') return { kind: 'stale-page' }
    const [next] = waiting
    const booked = claims.size
    const left = (taken: number) => ({ remaining: sale.stock - taken, stockRevision: 0, booked: taken })
    if (next === undefined)
      return booked < sale.stock ? { kind: 'unavailable' } : { kind: 'sold-out', ...left(booked) }
    const [packet, amount] = next
    const { currency } = sale
    const message = { saleId, shopperId, packet, amount, currency, claimedAt: now, requestId }
    waiting.delete(packet)
    claims.set(shopperId, message)
    outbox.set(shopperId, message)
    return { kind: 'claimed', message, ...left(booked + 1) }
  }

  return {
    ...light,
    put: (sale, amounts) => {
      const waiting = new Map(amounts.entries())
      records.set(sale.saleId, { sale, frozen: false, waiting, claims: new Map(), outbox: new Map() })
    },
    freeze: (saleId) => {
      const record = records.get(saleId)
      if (record !== undefined) record.frozen = true
    },
    async take(tap) {
      light.pass()
      const tapped = decide(records.get(tap.saleId), tap)
      if (losing) {
        losing = false
        throw new RedisUnavailable('the reply was lost')
      }
      return tapped
    },
    async acknowledge(saleId, shopperId) {
      light.pass()
      records.get(saleId)?.outbox.delete(shopperId)
    },
    waiting: (saleId) => [...(records.get(saleId)?.outbox.values() ?? [])],
    claimed: (saleId) => records.get(saleId)?.claims.size ?? 0,
    loseNextReply: () => {
      losing = true
    },
  }
}

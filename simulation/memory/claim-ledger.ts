/**
 * The table's claims in memory: credits by shopper and sale, packets by owner. The caps are those
 * of the table it belongs to. Every call does all of its work at once when it is called, or none.
 */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { maxPackets } from '../../core/packets.ts'
import type { SaleRows } from '../../functions/control/tables.ts'
import type {
  ClaimLedger,
  CreditedClaim,
  CreditRefusal,
  DueClaim,
} from '../../functions/packets/claim-ledger.ts'
import type { Credit, Wallets } from '../../functions/packets/wallet.ts'
import { type MemoryPayouts, memoryPayouts } from './payouts.ts'
import type { UnitCounters } from './unit-counters.ts'

export type MemoryClaims = ClaimLedger & {
  rows: Pick<SaleRows, 'packets'>
  wallets: Wallets
  payouts: MemoryPayouts
  /** Transactions requested, including rejected ones. */
  writes: number
}

/** What the claims share with the rest of their table. `pass` throws while it is unavailable. */
export type SharedTable = { units: UnitCounters; pass: () => void; meetsAnother: () => boolean }

/**
 * The conditions of a credit: the shopper has none of the sale yet, and the packet has no owner.
 */
export type CreditCondition = 'no credit' | 'no owner'

export const creditConditions: ReadonlySet<CreditCondition> = new Set(['no credit', 'no owner'])

const pageSize = 100

/** Packets follow one another as in the real table: part by part, which is their number modulo 16. */
const placeOf = (packet: number) => (packet % 16) * maxPackets + packet

/** With fewer than all `conditions` it is wrong on purpose, for mutation tests. */
export function memoryClaims(
  { units, pass, meetsAnother }: SharedTable,
  conditions: ReadonlySet<CreditCondition>,
): MemoryClaims {
  const balances = new Map<ShopperId, Map<string, number>>()
  const credits = new Map<ShopperId, Map<SaleId, Credit>>()
  const packets = new Map<SaleId, Map<number, CreditedClaim>>()

  const refusalOf = (claims: readonly DueClaim[]): CreditRefusal => {
    const repeats = new Set<ShopperId>()
    const refused = new Map<ShopperId, 'other-packet' | 'packet-taken'>()
    for (const { saleId, shopperId, packet } of claims) {
      const credited = conditions.has('no credit') ? credits.get(shopperId)?.get(saleId) : undefined
      const isOwned = conditions.has('no owner') && packets.get(saleId)?.has(packet) === true
      if (credited?.packet === packet) repeats.add(shopperId)
      else if (credited !== undefined) refused.set(shopperId, 'other-packet')
      else if (isOwned) refused.set(shopperId, 'packet-taken')
    }
    return { kind: 'refused', repeats, refused, left: units.shortOf(claims) }
  }

  const put = ({ saleId, shopperId, packet, amount, currency, claimedAt }: DueClaim, creditedAt: number) => {
    const wallet = credits.get(shopperId) ?? new Map<SaleId, Credit>()
    credits.set(shopperId, wallet.set(saleId, { saleId, packet, amount, currency, claimedAt, creditedAt }))
    const mine = balances.get(shopperId) ?? new Map<string, number>()
    balances.set(shopperId, mine.set(currency, (mine.get(currency) ?? 0) + amount))
    const ofSale = packets.get(saleId) ?? new Map<number, CreditedClaim>()
    packets.set(saleId, ofSale.set(packet, { shopperId, packet, amount, currency, claimedAt, creditedAt }))
  }

  const payouts = memoryPayouts(balances, pass, meetsAnother)

  const ledger: MemoryClaims = {
    payouts,
    writes: 0,
    async credit(claims, creditedAt) {
      ledger.writes += 1
      try {
        pass()
      } catch (cause) {
        return { kind: 'unavailable', cause }
      }
      const shoppers = new Set(claims.map(({ shopperId }) => shopperId))
      const numbers = new Set(claims.map(({ packet }) => packet))
      if (shoppers.size < claims.length || numbers.size < claims.length)
        throw new Error('an item comes twice')
      if (meetsAnother()) return { kind: 'busy' }
      const refusal = refusalOf(claims)
      if (refusal.repeats.size + refusal.refused.size > 0 || refusal.left !== undefined) return refusal
      units.takeForClaims(claims)
      for (const claim of claims) put(claim, creditedAt)
      return { kind: 'written' }
    },
    async *pages(saleId) {
      const owned = [...(packets.get(saleId)?.values() ?? [])]
      for (let start = 0; start < owned.length; start += pageSize) {
        pass()
        yield owned.slice(start, start + pageSize)
      }
    },
    rows: {
      async *packets(saleId, after) {
        const all = [...(packets.get(saleId)?.values() ?? [])]
        const rest = all
          .filter(({ packet }) => after === undefined || placeOf(packet) > placeOf(after))
          .sort((a, b) => placeOf(a.packet) - placeOf(b.packet))
        for (let start = 0; start < rest.length; start += pageSize) {
          pass()
          yield rest.slice(start, start + pageSize)
        }
      },
    },
    wallets: {
      async of(shopperId) {
        pass()
        const mine = balances.get(shopperId) ?? []
        return {
          balances: [...mine].map(([currency, amount]) => ({ currency, amount })),
          credits: [...(credits.get(shopperId)?.values() ?? [])],
          payouts: payouts.of(shopperId),
        }
      },
    },
  }
  return ledger
}

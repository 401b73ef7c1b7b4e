/** The shoppers of a standby list: who joined it, the receipts that they got, and what must hold when the gate lets one in. */
import type { SaleId, ShopperId } from '../../core/ids.ts'
import type { Table } from '../../functions/lib/shop/table.ts'
import { allOffers } from '../../functions/table/draw/offers.ts'

export type StandbyRecord = {
  /** Those who asked to join, also without an answer. */
  entrants: Set<ShopperId>
  receipts: string[]
  /** The gate lets a shopper in by the list of the sale, having looked at it at `askedAt` (epoch ms) or before. */
  letIn: (shopperId: ShopperId, askedAt: number) => Promise<void>
}

/** The clocks of two machines differ by so much at most, ms. */
const skewMs = 400

export function openStandbyRecord(table: Table, saleId: SaleId, violated: (what: string) => void): StandbyRecord {
  const entrants = new Set<ShopperId>()
  return {
    entrants,
    receipts: [],
    async letIn(shopperId, askedAt) {
      if (!entrants.has(shopperId)) violated(`${shopperId} was let in and is not on the standby list`)
      const offer = (await allOffers(table, saleId)).find((one) => one.shopperId === shopperId)
      if (offer?.endedAt !== undefined && offer.endedAt < askedAt - skewMs)
        violated(`${shopperId} was let in on an offer that had ended`)
    },
  }
}

/** The shoppers who entered a draw, the receipts that they got, and what must hold when the gate lets one in. */
import type { SaleId, ShopperId } from '../../../core/ids.ts'
import type { Table } from '../../../functions/lib/shop/table.ts'
import { longestSkewMs } from '../../../proof/simulation/shared-ports.ts'
import { allOffers } from '../functions/offers.ts'

/** What the last receipt of an entrant says: `unsure` where a change since then has none. */
type Standing = 'in' | 'out' | 'unsure'

export type EntryRecord = {
  /** Those who asked to enter, also without an answer. */
  entrants: Map<ShopperId, Standing>
  /** Also those of answers that were lost. */
  receipts: Set<string>
  /** Those whom the gate let in by the list of the sale. */
  letInOnce: Set<ShopperId>
  /** The gate lets a shopper in by the list of the sale, having looked at it at `askedAt` (epoch ms) or before. */
  letIn: (shopperId: ShopperId, variant: string | undefined, askedAt: number) => Promise<void>
}

export function openEntryRecord(table: Table, saleId: SaleId, violated: (what: string) => void): EntryRecord {
  const letInOnce = new Set<ShopperId>()
  return {
    entrants: new Map(),
    receipts: new Set(),
    letInOnce,
    async letIn(shopperId, variant, askedAt) {
      letInOnce.add(shopperId)
      const offer = (await allOffers(table, saleId)).find((one) => one.shopperId === shopperId)
      // A shopper is on the list right before the offer is written.
      if (offer !== undefined && variant !== offer.variant)
        violated(`${shopperId} was let in for ${variant} on an offer of ${offer.variant}`)
      if (offer?.endedAt !== undefined && offer.endedAt < askedAt - longestSkewMs)
        violated(`${shopperId} was let in on an offer that had ended`)
    },
  }
}

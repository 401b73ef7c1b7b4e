/** What reconciling one sale found. */
import type { Repaired } from '../sales/repair-sale.ts'
import type { OutboxResent } from './orders/resend-outbox.ts'
import type { HoldsChecked } from './stock/compare-holds.ts'

/**
 * What was found. `drift` is booked − sold before anything was put right, null when unknown. `holds` is undefined when
 * the counters left nothing to look for. `released` counts orders whose release was still due.
 */
export type ReconciledSale = OutboxResent & {
  state: Repaired['kind']
  drift: number | null
  holds: HoldsChecked | undefined
  released: number
}

/** What `dispatchAndRepair` found; `unfinishedChange` is why a stock change under way could not be finished. */
export type DispatchedAndRepaired = OutboxResent & Pick<ReconciledSale, 'state'> & { unfinishedChange?: unknown }

/** What `compareCounts` found; `isBroken`: no hold explains what the counters say, so the sale is to be rebuilt. */
export type CountsCompared = Pick<ReconciledSale, 'drift' | 'holds' | 'released'> & { isBroken: boolean }

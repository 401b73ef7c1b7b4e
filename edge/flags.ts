/**
 * What this instance believes about each sale (G3).
 *
 * - Nothing fails open: no usable facts is `unavailable`, and unavailable is refused (I6).
 * - A published sale never goes away: where one was seen, a store that knows nothing of it has lost its data, and
 *   that is `unavailable` as well, until a repair has told it again (P10).
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../core/ids.ts'
import { deniedWithinMs } from '../core/sale-filter.ts'
import type { GateFacts, GateStore } from './gate-store.ts'
import { type Kept, keep } from './kept.ts'

export type Known = { kind: 'sale'; facts: GateFacts } | { kind: 'unknown-sale' } | { kind: 'unavailable' }

export type Flags = {
  /**
   * What was known of the sale at most `withinMs` ago (a second, when left out); a promise only when memory cannot say and
   * the store must be asked.
   */
  look(saleId: SaleId, withinMs?: number): Known | Promise<Known>
  /** What was known of the sale at `time` (epoch ms) or later. */
  lookSince(saleId: SaleId, time: number): Known | Promise<Known>
  /** Whether this instance has found the sale in the store before. */
  hasSeen(saleId: SaleId): boolean
}

/**
 * At least so many sales are remembered, at most twice as many. Made-up ids push each other out, a sale in demand is
 * always recent. One that is pushed out while it is read costs one more read: whoever waits for the first has it in hand.
 */
const maxSales = 1000

type Watch = { kept: Kept<Known>; hasSeen: boolean }

const unknownSale: Known = { kind: 'unknown-sale' }
const unavailable: Known = { kind: 'unavailable' }

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second per sale. */
export function createFlags(
  store: Pick<GateStore, 'read'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Flags {
  const watches = new QuickLRU<SaleId, Watch>({ maxSize: maxSales })

  function watch(saleId: SaleId): Watch {
    async function read(): Promise<Known> {
      const facts = await store.read(saleId)
      fresh.hasSeen ||= facts !== undefined
      if (facts !== undefined) return { kind: 'sale', facts }
      return fresh.hasSeen ? unavailable : unknownSale
    }
    const isInDemand = ({ kind }: Known) => kind === 'sale'
    const fresh: Watch = { kept: keep({ read, unavailable, isInDemand }, clock, onFailure), hasSeen: false }
    watches.set(saleId, fresh)
    return fresh
  }

  function look(saleId: SaleId, withinMs?: number): Known | Promise<Known> {
    const { kept } = watches.get(saleId) ?? watch(saleId)
    const known = kept.look(withinMs)
    // A new sale is announced once every memory of its absence is over (B5).
    return known === unknownSale ? kept.look(deniedWithinMs) : known
  }

  return {
    look,
    lookSince: (saleId, time) => look(saleId, clock() - time),
    hasSeen: (saleId) => watches.get(saleId)?.hasSeen === true,
  }
}

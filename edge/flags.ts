/**
 * What this instance believes about each sale (G3).
 *
 * - Nothing fails open: no usable facts is `dark`, and dark is refused (I6).
 * - A published sale never goes away: where one was seen, a store that knows nothing of it has lost its data, and
 *   that is `dark` as well, until a repair has told it again (P10).
 */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../core/ids.ts'
import type { GateFacts, GateStore } from './gate-store.ts'
import { type Kept, keep } from './kept.ts'

export type Known = { kind: 'sale'; facts: GateFacts } | { kind: 'unknown-sale' } | { kind: 'dark' }

export type Flags = {
  /** What is known of the sale now; a promise only when memory cannot say and the store must be asked. */
  look(saleId: SaleId): Known | Promise<Known>
}

/**
 * At least so many sales are remembered, at most twice as many. Made-up ids push each other out, a sale in demand is
 * always recent. One that is pushed out while it is read costs one more read: whoever waits for the first has it in hand.
 */
const maxSales = 1000

const unknownSale: Known = { kind: 'unknown-sale' }
const dark: Known = { kind: 'dark' }

/** `clock` gives epoch ms. A failed read is told to `onFailure`, at most four times a second per sale. */
export function createFlags(
  store: Pick<GateStore, 'read'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Flags {
  const watches = new QuickLRU<SaleId, Kept<Known>>({ maxSize: maxSales })

  function watch(saleId: SaleId): Kept<Known> {
    let wasThere = false
    const source = {
      async read(): Promise<Known> {
        const facts = await store.read(saleId)
        wasThere ||= facts !== undefined
        if (facts !== undefined) return { kind: 'sale', facts }
        return wasThere ? dark : unknownSale
      },
      dark,
      // A sale that nobody published is remembered for a second and then forgotten (B5).
      isInDemand: ({ kind }: Known) => kind === 'sale',
    }
    return keep(source, clock, onFailure)
  }

  return {
    look(saleId) {
      const seen = watches.get(saleId)
      if (seen !== undefined) return seen.look()
      const fresh = watch(saleId)
      watches.set(saleId, fresh)
      return fresh.look()
    },
  }
}

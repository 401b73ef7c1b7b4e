/**
 * Publishes to the gate once per stock revision that a sale is sold out, or variants of it; the edge
 * then answers by itself.
 */
import { setBounded } from '../../../core/lib/bounded-map.ts'
import type { Commander } from '../../../redis/command.ts'
import { publishSoldOut, publishSoldOutVariants } from '../../../redis/gate/gate.ts'
import type { SoldOutPublisher } from '../../buy/complete-admission.ts'

const maxReports = 1000

/**
 * Calls for a published revision are answered from memory; calls during the publishing share its
 * result.
 */
export function redisSoldOutPublisher(gate: Commander): SoldOutPublisher {
  const published = new Map<string, { stockRevision: number; done: Promise<void> }>()

  function once(what: string, stockRevision: number, send: () => Promise<void>): Promise<void> {
    const known = published.get(what)
    if (known !== undefined && known.stockRevision >= stockRevision) return known.done
    const done = send().catch((error) => {
      published.delete(what)
      throw error
    })
    setBounded(published, what, { stockRevision, done }, maxReports)
    return done
  }

  return {
    publish: (saleId, stockRevision, variants) =>
      once([saleId, ...(variants ?? [])].join(' '), stockRevision, () =>
        variants === undefined
          ? publishSoldOut(gate, saleId, stockRevision)
          : publishSoldOutVariants(gate, saleId, stockRevision, variants),
      ),
  }
}

/**
 * Publishes to the gate once per stock revision that a sale is sold out; the edge then answers by
 * itself.
 */
import { setBounded } from '../../core/bounded-map.ts'
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { publishSoldOut } from '../../redis/gate.ts'
import type { SoldOutPublisher } from '../buy/complete-admission.ts'

const maxSales = 1000

/**
 * Calls for a published revision are answered from memory; calls during the publishing share its
 * result.
 */
export function redisSoldOutPublisher(gate: Commander): SoldOutPublisher {
  const published = new Map<SaleId, { stockRevision: number; done: Promise<void> }>()
  return {
    publish(saleId, stockRevision) {
      const known = published.get(saleId)
      if (known !== undefined && known.stockRevision >= stockRevision) return known.done
      const done = publishSoldOut(gate, saleId, stockRevision).then(
        () => undefined,
        (error) => {
          published.delete(saleId)
          throw error
        },
      )
      setBounded(published, saleId, { stockRevision, done }, maxSales)
      return done
    },
  }
}
